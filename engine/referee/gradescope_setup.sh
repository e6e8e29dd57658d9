#!/usr/bin/env bash
# Install what grading takes, once, when Gradescope builds the image; needs Ubuntu 22.04 or newer.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv
python=python3
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    apt-get install -y --no-install-recommends python3.11 python3.11-venv
    python=python3.11
fi
"$python" -m venv /opt/referee
/opt/referee/bin/python -m pip install --no-cache-dir --require-hashes -r "$source/referee/requirements.txt"
/opt/referee/bin/python -m pip install --no-cache-dir -r "$source/packages.txt"
chmod -R go= "$source"
