// An interpreter for the functions of the core that need one, and arrays for them that end where their memory ends.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <nanobind/stl/optional.h>

#include <unordered_map>

#include "../text.hpp"
#include "plain.hpp"

// Empty: nanobind's arrays need a module that is loaded, but the functions of the core are called directly.
NB_MODULE(fuzzed, m) { (void)m; }

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  PyImport_AppendInittab("fuzzed", PyInit_fuzzed);
  Py_InitializeEx(0);
  if (PyImport_ImportModule("fuzzed")) return 0;
  PyErr_Print();
  std::abort();
}

namespace plain {

template <class T>
likely::OutputVector<T> output(const std::vector<T>& values) {
  auto* kept = new Exact<T>(values);
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Exact<T>*>(p); });
  return likely::OutputVector<T>(kept->data, {kept->size}, owner);
}

template <class T>
likely::Vector<T> array(const std::vector<T>& values) {
  return likely::Vector<T>(output(values));
}

template <class Array>
auto values(const Array& array) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(array.data())>>;
  return std::vector<T>(array.data(), array.data() + array.size());
}

// Whether a function says that its arguments are wrong.
template <class F>
bool refused(F&& f) {
  try {
    f();
    return false;
  } catch (const std::invalid_argument&) {
    return true;
  }
}

// A word as a table wants it: with eight bytes behind it that are none of its own.
struct Sought : Exact<char> {
  explicit Sought(std::string word, char behind = '\x5A') : Exact(with(word, behind)) {}
  likely::Key key() const { return {data, size - 8}; }

 private:
  static std::vector<char> with(std::string word, char behind) {
    word.append(8, behind);
    return {word.begin(), word.end()};
  }
};

// Words and their numbers, in the order in which they came.
struct Numbered {
  std::vector<std::string> words;
  std::unordered_map<std::string, int32_t> numbers;

  Numbered() = default;
  explicit Numbered(const std::vector<std::string>& all) {
    for (const auto& word : all) add(word);
  }
  int32_t add(const std::string& word) {
    const auto [at, is_new] = numbers.emplace(word, (int32_t)words.size());
    if (is_new) words.push_back(word);
    return at->second;
  }
  int32_t find(const std::string& word) const {
    const auto at = numbers.find(word);
    return at == numbers.end() ? -1 : at->second;
  }
  likely::Words table() const {
    likely::Words made;
    for (const auto& word : words) made.add(Sought(word).key());
    return made;
  }
};

inline std::string word(const likely::Words& words, std::size_t at) { return {words.word(at), words.length(at)}; }

inline bool same(const likely::Words& words, const Numbered& expected) {
  if (words.size() != expected.words.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (word(words, i) != expected.words[i]) return false;
  return true;
}

} // namespace plain
