#!/bin/sh
# Build an environment with the last version of datasets that runs loading scripts, for the tests of the Hub dataset.
#
#   .ci/datasets36_env.sh [FOLDER]        default: .venv-datasets36
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-.venv-datasets36}
python=${PYTHON:-python3}

[ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
"$folder/bin/python" -m pip install -q --disable-pip-version-check \
  "datasets==3.6.0" -e "$here/.." "pytest>=8.3" "pytest-timeout>=2.3" "pytest-xdist>=3.6" "hypothesis>=6.110"
"$folder/bin/python" -c 'import datasets; print("datasets", datasets.__version__)'
