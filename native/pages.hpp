// Memory for tables that are looked into at random, in large pages where the system has them: a look into a table of many
// small pages costs two misses, one for the page.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace likely {

template <class T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t kPage = 2 << 20;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>&) {}
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

  T* allocate(std::size_t count) {
    if (count > (std::size_t)-1 / 2 / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = count * sizeof(T);
#ifdef __linux__
    if (bytes >= kPage) return static_cast<T*>(mapped(whole(bytes)));
#endif
    return static_cast<T*>(::operator new(bytes));
  }
  void deallocate(T* p, std::size_t count) {
#ifdef __linux__
    if (count * sizeof(T) >= kPage) return (void)munmap(p, whole(count * sizeof(T)));
#endif
    ::operator delete(p);
  }

#ifdef __linux__
 private:
  static std::size_t whole(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

  // Not by malloc, which keeps much of what is freed: the blend of 25,000 long texts (`python -m bench accuracy --only
  // text_costs`) took 1,680 MB, and takes 480 with this and rows in half the bytes.
  static void* mapped(std::size_t bytes) {
    void* all = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    auto* start = static_cast<char*>(all);
    const std::size_t before = (kPage - (std::size_t)start % kPage) % kPage;
    if (before) munmap(start, before);
    munmap(start + before + bytes, kPage - before);
    madvise(start + before, bytes, MADV_HUGEPAGE); // advice: it may be refused
    return start + before;
  }
#endif
};

template <class T>
using Large = std::vector<T, LargePages<T>>;

} // namespace likely
