// Where "From " stands in an mbox, at the start of a line or behind a ">": a message may start there, or a line is quoted.
#pragma once

#include "scan.hpp"

namespace likely::mail {

inline std::vector<std::size_t> from_lines(Bytes in, std::size_t start, std::size_t end) {
  std::vector<std::size_t> found;
  in = in.substr(0, std::min(end, in.size()));
  for (std::size_t at = std::max<std::size_t>(start, 1); (at = find(in, "From ", at)) != kNowhere; ++at)
    if (in[at - 1] == '\n' || in[at - 1] == '>') found.push_back(at);
  return found;
}

} // namespace likely::mail
