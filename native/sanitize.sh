#!/bin/sh
# Builds the native core under AddressSanitizer and UBSan and runs its tests on it.
# A fault ends the run with a report; leaks are not looked for, as the interpreter keeps much for good.
set -eu
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
export PRELOAD
exec sh "$(dirname "$0")/rebuilt.sh" sanitized -DLIKELY_SANITIZE=ON
