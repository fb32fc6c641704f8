#!/bin/sh
# Fuzzes the native code for text and mail under AddressSanitizer and UBSan, each subject against plain code: FUZZ_SECONDS for all.
# A fault ends the run with a report, and the input that shows it is kept in build/fuzz/found.
set -eu
cd "$(dirname "$0")/../.."
build=build/fuzz
subjects="words portable_words vocabulary counts encode mail"
seconds=$(((${FUZZ_SECONDS:-30} + 5) / 6))
mkdir -p "$build/found"

flags="-std=c++20 -g -O1 -Wall -Wextra -Wno-psabi -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined"
echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' >"$build/empty.cpp"
ready() { clang++ $flags "$build/empty.cpp" -o "$build/empty" >"$build/empty.log" 2>&1; }
if ! ready && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update -qq && apt-get install -qq -y --no-install-recommends clang libclang-rt-dev; } \
        >"$build/install.log" 2>&1 || cat "$build/install.log"
fi
ready || { echo "make fuzz needs clang with libFuzzer: apt-get install clang libclang-rt-dev"; exit 1; }

"$PYTHON" -m pip install --quiet 'nanobind>=2.4'
"$PYTHON" native/unicode_tables.py "$build/unicode_tables.hpp"
"$PYTHON" native/html_tables.py "$build/html_tables.hpp"
nanobind=$("$PYTHON" -c 'import nanobind, pathlib; print(pathlib.Path(nanobind.source_dir()).parent)')
headers=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("include"))')
include="-isystem $headers -isystem $nanobind/include -isystem $nanobind/ext/robin_map/include -I$build"
library=$("$PYTHON" -c 'from sysconfig import get_config_vars
print("-L{LIBDIR} -L{LIBPL} -Wl,-rpath,{LIBDIR} -lpython{LDVERSION} {LIBS} {SYSLIBS}".format_map(get_config_vars()))')

# Two at a time: the counts take as long as all others.
compile() { clang++ $flags $include -c "native/fuzz/$1.cpp" -o "$build/$1.o"; }
compile counts &
clang++ -std=c++20 -O1 -fno-strict-aliasing $include -c "$nanobind/src/nb_combined.cpp" -o "$build/nanobind.o"
for subject in $subjects; do
    [ "$subject" = counts ] || compile "$subject"
done
wait $!

# Python's str in memory of their own, so that a read behind one is found.
PYTHONHOME=$("$PYTHON" -c 'import sys; print(sys.base_prefix)')
export PYTHONHOME PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
for subject in $subjects; do
    clang++ $flags "$build/$subject.o" "$build/nanobind.o" $library -o "$build/$subject"
    rm -rf "$build/$subject.corpus"
    mkdir "$build/$subject.corpus"
    env -u PYTHONHOME -u PYTHONMALLOC "$PYTHON" native/fuzz/seeds.py "$build/$subject.corpus"
    "$build/$subject" "$build/$subject.corpus" -seed=1 -max_len=4096 -max_total_time="$seconds" -timeout=30 \
        -detect_leaks=0 -artifact_prefix="$build/found/$subject-" >"$build/$subject.log" 2>&1 ||
        { grep -v '^#' "$build/$subject.log"; echo "$subject: a fault was found"; exit 1; }
    echo "$subject: $(grep '^#.*DONE' "$build/$subject.log" | tr '\t' ' '), no fault"
done
