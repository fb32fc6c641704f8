// The words once more, by the code for machines that are no x86.
#undef __SSE2__
#include "words.cpp"
