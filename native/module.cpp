// likely._native: loops over elements. Pure functions of numpy and Arrow buffers that release the GIL; what they
// write goes to arrays that the caller made. Shapes and codes are checked here, so that no argument can reach outside
// its buffers; and no array is converted, as a copy would swallow what is written to it, or wrap what is read from it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "block.hpp"
#include "cells.hpp"
#include "counts_left_out.hpp"
#include "distances.hpp"
#include "encode.hpp"
#include "factored.hpp"
#include "left_out.hpp"
#include "logistic.hpp"
#include "logistic_sparse.hpp"
#include "margins.hpp"
#include "moments.hpp"
#include "posterior.hpp"
#include "row_hashes.hpp"
#include "rows.hpp"
#include "scatter.hpp"
#include "scores.hpp"
#include "sparse.hpp"
#include "totals.hpp"
#include "waits_left_out.hpp"
#include "weighing.hpp"

namespace likely {
void define_networks(nb::module_& m);
void define_texts(nb::module_& m);
}

using namespace likely;

static auto as_is(const char* name) { return nb::arg(name).noconvert(); }
static auto or_none(const char* name) { return nb::arg(name).noconvert().none(); }

NB_MODULE(_native, m) {
  // Words that a cache of Python's holds until the interpreter ends are no leak, but would be reported as one.
  nb::set_leak_warnings(false);
  m.attr("FINITE") = (int)Cell::finite;
  m.attr("NON_NEGATIVE") = (int)Cell::non_negative;
  m.attr("COUNT") = (int)Cell::count;
  m.attr("BINARY") = (int)Cell::binary;

  const auto kind = nb::arg("kind");
  const auto weight = or_none("weight"), valid = or_none("valid"), known = or_none("known");
  const auto x = as_is("x"), y = as_is("y"), out = as_is("out"), table = as_is("table"), prior = as_is("prior");
  const auto n = as_is("n"), mean = as_is("mean"), m2 = as_is("m2"), total = as_is("total"), codes = as_is("codes");
  const auto indptr = as_is("indptr"), indices = as_is("indices"), values = as_is("values"), starts = as_is("starts");
  m.def("place_columns", &place_columns, values, as_is("there"), out);
  m.def("moments", &moments, x, y, weight, n, mean, m2);
  m.def("scatter", &scatter, x, y, weight, n, mean, out);
  m.def("totals", &totals, x, y, weight, kind, total, as_is("seen"));
  m.def("csr_totals", &csr_totals<int32_t>, indptr, indices, values, y, weight, kind, total);
  m.def("csr_totals", &csr_totals<int64_t>, indptr, indices, values, y, weight, kind, total);
  m.def("csr_scores", &csr_scores<int32_t>, indptr, indices, values, kind, as_is("weights"), out);
  m.def("csr_scores", &csr_scores<int64_t>, indptr, indices, values, kind, as_is("weights"), out);
  m.def("score_gaussian", &score_gaussian, x, mean, as_is("rate"), as_is("constant"), out);
  m.def("score_gaussian_by", &score_gaussian_by, x, as_is("which"), mean, as_is("rate"), as_is("constant"), out);
  m.def("left_out_gaussian", &left_out_gaussian, x, y, weight, n, mean, m2, nb::arg("prior"), out);
  m.def("left_out_gaussian_cells", &left_out_gaussian_cells, x, y, weight, n, mean, m2, nb::arg("prior"), out);
  m.def("score_left_out_gaussian", &score_left_out_gaussian, x, y, weight, n, mean, m2, nb::arg("prior"), or_none("times"),
        out);
  m.def("left_out_cells", &left_out_cells, codes, y, weight, starts, as_is("counts"), as_is("pseudocounts"),
        as_is("log_width"), out);
  m.def("score_left_out_cells", &score_left_out_cells, codes, y, weight, starts, as_is("counts"), as_is("pseudocounts"),
        as_is("log_width"), or_none("times"), table, out);
  m.def("put_own_scores", &put_own_scores, as_is("logs"), or_none("times"), y, as_is("before"), out);
  m.def("left_out_bernoulli", &left_out_bernoulli, x, y, weight, total, as_is("seen"), nb::arg("zeros"), nb::arg("ones"),
        out);
  m.def("left_out_poisson", &left_out_poisson, x, y, weight, total, as_is("seen"), nb::arg("events"), nb::arg("rows"), out);
  m.def("left_out_exponential", &left_out_exponential, x, y, weight, total, as_is("seen"), nb::arg("rows"),
        nb::arg("waited"), out);
  m.def("left_out_exponential_cells", &left_out_exponential_cells, x, y, weight, total, as_is("seen"), nb::arg("rows"),
        nb::arg("waited"), out);
  m.def("score_left_out_exponential", &score_left_out_exponential, x, y, weight, total, as_is("seen"), nb::arg("rows"),
        nb::arg("waited"), or_none("times"), out);
  m.def("weighing_pass", &weighing_pass, as_is("evidence"), prior, weight, as_is("weights"), as_is("gradient"),
        as_is("curvature"));
  m.def("distances", &distances, x, mean, as_is("whitening"), or_none("y"), or_none("towards"), out, or_none("product"),
        as_is("holes"));
  m.def("left_out_factored", &left_out_factored, x, y, weight, n, mean, as_is("squares"), as_is("rows"), nb::arg("tied"),
        nb::arg("kept"), nb::arg("own"), out, as_is("rest"));
  const auto residuals = as_is("residuals"), scores = as_is("scores");
  const auto classes = nb::arg("classes"), squared = nb::arg("squared");
  const auto shift = or_none("shift");
  m.def("logistic_pass", &logistic_pass, x, shift, y, weight, or_none("offset"), as_is("weights"), as_is("bias"),
        as_is("gradient"), as_is("slope"));
  m.def("dense_product", &dense_product, x, shift, table, out);
  m.def("weighted_products", &weighted_products, x, shift, as_is("weight"), out);
  m.def("softmax_products", &softmax_products, x, shift, residuals, y, weight, classes, nb::arg("first"), out);
  m.def("logistic_residuals", &logistic_residuals, scores, y, weight, classes);
  m.def("logistic_curvature", &logistic_curvature, residuals, y, weight, classes, scores, out);
  m.def("csr_product", &csr_product<int32_t>, indptr, indices, values, table, squared, out);
  m.def("csr_product", &csr_product<int64_t>, indptr, indices, values, table, squared, out);
  m.def("csr_transposed_product", &csr_transposed_product<int32_t>, indptr, indices, values, table, squared, out);
  m.def("csr_transposed_product", &csr_transposed_product<int64_t>, indptr, indices, values, table, squared, out);
  m.def("csr_forms", &csr_forms<int32_t>, indptr, indices, values, table, out);
  m.def("csr_forms", &csr_forms<int64_t>, indptr, indices, values, table, out);
  const auto first = nb::arg("first"), tol = nb::arg("tol"), most = nb::arg("most");
  const auto margins = [&](auto* fit) {
    m.def("fit_margins", fit, indptr, indices, values, y, first, as_is("cost"), tol, most, as_is("dual"),
          as_is("weights"), as_is("passes"));
  };
  margins(&fit_margins<int32_t, double>), margins(&fit_margins<int64_t, double>);
  margins(&fit_margins<int32_t, float>), margins(&fit_margins<int64_t, float>);
  m.def("score_linear", &score_linear, x, kind, as_is("zero"), as_is("one"), as_is("slope"), or_none("factorial"), out);
  m.def("count_cells", &count_cells, codes, y, weight, starts, table);
  m.def("score_cells", &score_cells, codes, starts, table, out);
  m.def("bin_cells", &bin_cells, x, as_is("edges"), starts, codes);
  m.def("join_bins", &join_bins, as_is("counts"), as_is("edges"), as_is("pseudocounts"), as_is("steps"));
  m.def("encode_numbers", &encode_numbers, x, valid, known, codes);
  m.def("encode_text", &encode_text<int32_t>, as_is("offsets"), as_is("bytes"), valid, nb::arg("bit"), known, codes);
  m.def("encode_text", &encode_text<int64_t>, as_is("offsets"), as_is("bytes"), valid, nb::arg("bit"), known, codes);
  m.def("add_number_hashes", &add_number_hashes, values, or_none("there"), nb::arg("name"), as_is("totals"));
  m.def("add_text_hashes", &add_text_hashes, as_is("offsets"), as_is("bytes"), valid, nb::arg("bit"),
        nb::arg("name"), as_is("totals"));
  define_networks(m);
  define_texts(m);
  m.def("best", &best, as_is("scores"), prior, codes);
  m.def("normalise", &normalise, as_is("scores"), prior, nb::arg("log"));
}
