#!/bin/sh
# Builds the native core under AddressSanitizer and UBSan and runs its tests on it.
# A fault ends the run with a report; leaks are not looked for, as the interpreter keeps much for good.
set -eu
cd "$(dirname "$0")/.."
build=build/sanitized
mkdir -p build
"$PYTHON" -m pip install --quiet 'nanobind>=2.4' 'cmake>=3.20' ninja
cmake=$("$PYTHON" -c 'import cmake, pathlib; print(pathlib.Path(cmake.CMAKE_BIN_DIR) / "cmake")')
"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$PYTHON")/ninja" \
    -DPython_EXECUTABLE="$PYTHON" -DLIKELY_SANITIZE=ON >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
"$cmake" --build "$build" >>"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
# The package as it is, with this core in place of the installed one.
rm -rf "$build/package"
mkdir -p "$build/package"
cp -r src/likely "$build/package/likely"
cp "$build"/_native*.so "$build/package/likely/"
# Run by the interpreter below the virtual environment, which sees the packages of the environment but not its
# editable install: that would find the ordinary core first.
site=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
base=$("$PYTHON" -c 'import sys; print(sys._base_executable)')
export PYTHONPATH="$PWD/$build/package:$site" ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)"
export LD_PRELOAD
loaded=$("$base" -c 'import likely._native; print(likely._native.__file__)')
case "$loaded" in
*"$build"*) ;;
*) echo "the sanitized core was not loaded, but $loaded"; exit 1 ;;
esac
# Plugins that the interpreter below may have of its own stay out.
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
exec "$base" -m pytest -p no:cacheprovider -p xdist.plugin -n auto tests/native
