// Memory for tables that are looked into at random, in large pages where the system has them: a look into a table of many
// small pages costs two misses, one for the page.
#pragma once

#include <cstdlib>
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
    if (bytes >= kPage) {
      void* p = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
      if (!p) throw std::bad_alloc();
      madvise(p, bytes, MADV_HUGEPAGE); // advice: it may be refused
      return static_cast<T*>(p);
    }
#endif
    return static_cast<T*>(::operator new(bytes));
  }
  void deallocate(T* p, std::size_t count) {
#ifdef __linux__
    if (count * sizeof(T) >= kPage) return std::free(p);
#endif
    ::operator delete(p);
  }
};

template <class T>
using Large = std::vector<T, LargePages<T>>;

} // namespace likely
