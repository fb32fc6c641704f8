// likely._native: loops over elements. Pure functions of numpy and Arrow buffers that release the GIL; what they
// write goes to arrays that the caller made. Shapes and codes are checked here, so that no argument can reach outside
// its buffers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "block.hpp"
#include "cells.hpp"
#include "encode.hpp"
#include "left_out.hpp"
#include "moments.hpp"
#include "posterior.hpp"
#include "scores.hpp"
#include "sparse.hpp"
#include "totals.hpp"

using namespace likely;

NB_MODULE(_native, m) {
  m.attr("FINITE") = (int)Cell::finite;
  m.attr("NON_NEGATIVE") = (int)Cell::non_negative;
  m.attr("COUNT") = (int)Cell::count;
  m.attr("BINARY") = (int)Cell::binary;

  const auto weight = nb::arg("weight").none();
  m.def("moments", &moments, nb::arg("x"), nb::arg("y"), weight, nb::arg("n"), nb::arg("mean"), nb::arg("m2"));
  m.def("totals", &totals, nb::arg("x"), nb::arg("y"), weight, nb::arg("kind"), nb::arg("total"), nb::arg("seen"));
  m.def("csr_totals", &csr_totals<int32_t>, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("y"), weight,
        nb::arg("kind"), nb::arg("total"));
  m.def("csr_totals", &csr_totals<int64_t>, nb::arg("indptr"), nb::arg("indices"), nb::arg("values"), nb::arg("y"), weight,
        nb::arg("kind"), nb::arg("total"));
  m.def("csr_scores", &csr_scores<int32_t>);
  m.def("csr_scores", &csr_scores<int64_t>);
  m.def("score_gaussian", &score_gaussian);
  m.def("left_out_gaussian", &left_out_gaussian, nb::arg("x"), nb::arg("y"), weight, nb::arg("n"), nb::arg("mean"),
        nb::arg("m2"), nb::arg("prior"), nb::arg("out"));
  m.def("score_left_out_gaussian", &score_left_out_gaussian, nb::arg("x"), nb::arg("y"), weight, nb::arg("n"),
        nb::arg("mean"), nb::arg("m2"), nb::arg("prior"), nb::arg("out"));
  m.def("score_linear", &score_linear);
  m.def("count_cells", &count_cells, nb::arg("codes"), nb::arg("y"), weight, nb::arg("starts"), nb::arg("table"));
  m.def("score_cells", &score_cells);
  m.def("bin_cells", &bin_cells);
  const auto valid = nb::arg("valid").none(), known = nb::arg("known").none();
  m.def("encode_numbers", &encode_numbers, nb::arg("x"), valid, known, nb::arg("codes"));
  m.def("encode_text", &encode_text<int32_t>, nb::arg("offsets"), nb::arg("bytes"), valid, nb::arg("bit"), known, nb::arg("codes"));
  m.def("encode_text", &encode_text<int64_t>, nb::arg("offsets"), nb::arg("bytes"), valid, nb::arg("bit"), known, nb::arg("codes"));
  m.def("best", &best);
  m.def("normalise", &normalise);
}
