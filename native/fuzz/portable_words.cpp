// The words once more, by the code for machines that are no x86.
#define LIKELY_PLAIN
#include "words.cpp"
