#!/bin/sh
# Makes a virtual environment with the pinned langchain-core: install.sh [directory], by default .venv beside this file.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:-"$here/.venv"}
python3 -m venv "$target"
"$target/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
"$target/bin/python" -c 'import langchain_core; print("langchain-core", langchain_core.__version__)'
