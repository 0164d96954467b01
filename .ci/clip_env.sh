#!/bin/sh
# Build an environment in which the tests of the CLIP encoder, of OCR and of the modules' pages run on a machine without a GPU.
#
#   .ci/clip_env.sh [FOLDER]        default: .venv-clip
#
# torch goes in first and alone: open_clip by itself would pull the newest torchvision and with it gigabytes of CUDA.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-.venv-clip}
python=${PYTHON:-python3}

[ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
pip="$folder/bin/python -m pip install -q --disable-pip-version-check"
$pip torch==2.13.0
$pip torchvision==0.28.0 open_clip_torch -e "$here/..[test,ocr,space]"

site=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
cp "$here/torchvision_hook.py" "$site/provise_torchvision_hook.py"
echo "import provise_torchvision_hook" > "$site/provise_torchvision_hook.pth"
"$folder/bin/python" -c 'import open_clip; print("open_clip", open_clip.__version__)'
