// What likely._native has for texts and mail: a source of its own, so that it is compiled beside module.cpp.
#include "mail/mail.hpp"
#include "odds_left_out.hpp"
#include "rare_odds_left_out.hpp"
#include "tally.hpp"
#include "tally_sum.hpp"
#include "text.hpp"
#include "text_scores.hpp"
#include "texts_left_out.hpp"
#include "texts_replayed.hpp"
#include "texts_stepped.hpp"
#include "token_rows.hpp"

namespace likely {

void define_texts(nb::module_& m) {
  define_text(m);
  define_tally(m);
  define_tally_sum(m);
  define_token_rows(m);
  define_text_scores(m);
  define_texts_left_out(m);
  define_odds_left_out(m);
  define_rare_odds_left_out(m);
  define_texts_replayed(m);
  define_texts_stepped(m);
  mail::define_mail(m);
}

} // namespace likely
