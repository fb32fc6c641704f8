// What likely._native has for columns that are counted together: a source of its own, so that it is compiled beside
// module.cpp.
#include <nanobind/stl/optional.h>

#include "joint.hpp"
#include "networks.hpp"

namespace likely {

static auto as_is(const char* name) { return nb::arg(name).noconvert(); }
static auto or_none(const char* name) { return nb::arg(name).noconvert().none(); }

void define_networks(nb::module_& m) {
  const auto codes = as_is("codes"), sizes = as_is("sizes"), members = as_is("members"), ends = as_is("ends");
  m.def("count_joint", &count_joint, codes, as_is("y"), or_none("weight"), sizes, members, ends, as_is("table"));
  m.def("score_networks", &score_networks, codes, sizes, members, ends, as_is("networks"), as_is("table"), as_is("times"),
        nb::arg("exact"), or_none("y"), or_none("own"), or_none("backoff"), as_is("out"));
  m.def("look_up_factors", &look_up_factors, codes, as_is("y"), sizes, members, ends, as_is("table"), as_is("out"));
}

} // namespace likely
