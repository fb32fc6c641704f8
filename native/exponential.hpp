// exp, log and log(1 + x) of four numbers at once: the library's take one, and would be most of a pass over few columns.
#pragma once

#include "block.hpp"

namespace likely {

// exp of numbers up to 700, within two units of the last place; below -708 it is exp(-708), which is 3e-308.
LIKELY_INLINE Four exp4(Four x) {
  x = x < -708.0 ? Four{} - 708.0 : x;
  const Four shifted = x * 1.4426950408889634 + 0x1.8p52; // its low bits are x / log 2, rounded
  const Four k = shifted - 0x1.8p52;
  const Four r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45; // log 2 in two parts, the first times k exact
  Four e = Four{} + 1.0 / 479001600;
  e = e * r + 1.0 / 39916800;
  e = e * r + 1.0 / 3628800;
  e = e * r + 1.0 / 362880;
  e = e * r + 1.0 / 40320;
  e = e * r + 1.0 / 5040;
  e = e * r + 1.0 / 720;
  e = e * r + 1.0 / 120;
  e = e * r + 1.0 / 24;
  e = e * r + 1.0 / 6;
  e = e * r + 0.5;
  e = e * r + 1.0;
  e = e * r + 1.0;
  return (Four)((FourInts)e + ((FourInts)shifted << 52));
}

// log(1 + x) for x from 0 to 1, as 2 artanh(x / (2 + x)), its series up to the 31st power; x / (2 + x) is at most a third.
LIKELY_INLINE Four log1p4(Four x) {
  const Four s = x / (x + 2.0), t = s * s;
  Four sum = Four{} + 2.0 / 31;
  for (int odd = 29; odd > 0; odd -= 2) sum = sum * t + 2.0 / odd;
  return sum * s;
}

// The same for any x from 0 to 1e300: beyond 1 the exponent of 1 + x is taken apart.
LIKELY_INLINE Four log1p4_any(Four x) {
  const FourInts big = x > 1.0, bits = (FourInts)(x + 1.0), low = ((int64_t)1 << 52) - 1 + FourInts{};
  const Four part = (Four)((bits & low) | (FourInts)(Four{} + 1.0));
  const Four exponent = (Four)((bits >> 52) + (FourInts)(Four{} + 0x1.8p52)) - (0x1.8p52 + 1023);
  return log1p4(big ? part - 1.0 : x) + (big ? exponent * 0.6931471805599453 : Four{});
}

// log of normal numbers above 0, within a unit of the last place, or of that of 1: of a fraction between the roots of a half
// and of two, by the series of artanh, and a power of two.
LIKELY_INLINE Four log4(Four x) {
  constexpr int64_t root_of_half = 0x3FE6A09E667F3BCD;
  const FourInts power = ((FourInts)x - root_of_half) >> 52;
  const Four m = (Four)((FourInts)x - (power << 52)), s = (m - 1.0) / (m + 1.0), t = s * s;
  Four sum = Four{} + 2.0 / 21;
  for (int odd = 19; odd > 0; odd -= 2) sum = sum * t + 2.0 / odd;
  const Four k = (Four)(power + 0x4338000000000000) - 0x1.8p52; // as a number
  return sum * s + k * 0x1.62e42fefa39efp-1;
}

} // namespace likely
