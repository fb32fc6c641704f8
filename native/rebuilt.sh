#!/bin/sh
# Builds the native core anew in build/NAME and runs its tests on it: rebuilt.sh NAME FLAGS-FOR-CMAKE... A library in
# PRELOAD is loaded first.
set -eu
cd "$(dirname "$0")/.."
build=build/$1
shift
mkdir -p build
"$PYTHON" -m pip install --quiet 'nanobind>=2.4' 'cmake>=3.20' ninja
cmake=$("$PYTHON" -c 'import cmake, pathlib; print(pathlib.Path(cmake.CMAKE_BIN_DIR) / "cmake")')
"$cmake" -S . -B "$build" -G Ninja -DCMAKE_MAKE_PROGRAM="$(dirname "$PYTHON")/ninja" \
    -DPython_EXECUTABLE="$PYTHON" "$@" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
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
export PYTHONPATH="$PWD/$build/package:$site"
[ -z "${PRELOAD:-}" ] || export LD_PRELOAD="$PRELOAD"
loaded=$("$base" -c 'import likely._native; print(likely._native.__file__)')
case "$loaded" in
*"$build"*) ;;
*) echo "the core in $build was not loaded, but $loaded"; exit 1 ;;
esac
# Plugins that the interpreter below may have of its own stay out.
export PYTEST_DISABLE_PLUGIN_AUTOLOAD=1
exec "$base" -m pytest -p no:cacheprovider -p xdist.plugin -n auto tests/native
