#!/usr/bin/env bash
# Generates the operations and models from the contract, and builds the wheel: build.sh FOLDER
set -euo pipefail
out=$(mkdir -p "${1:?a folder for the wheel}" && cd "$1" && pwd)
cd "$(dirname "$0")"
contract=../../libs/contracts/src/generated/public.v2.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements-build.txt
cp -r pyproject.toml README.md src examples "$work/"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../../package.json | head -1)
sed -i "s/^version = .*/version = \"$version\"/" "$work/pyproject.toml"
PATH="$work/venv/bin:$PATH" openapi-python-client generate --path "$contract" --config generator.yml --meta none \
  --output-path "$work/src/rapporteur/v2" --overwrite --fail-on-warning
"$work/venv/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" "$work"
