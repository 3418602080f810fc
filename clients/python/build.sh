#!/usr/bin/env bash
# Generates the operations and models from the contract, and builds the wheel: build.sh FOLDER
# GENERATOR names a folder that keeps the generator for the next time.
set -euo pipefail
out=$(mkdir -p "${1:?a folder for the wheel}" && cd "$1" && pwd)
cd "$(dirname "$0")"
contract=../../libs/contracts/src/generated/public.v2.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
generator=${GENERATOR:-$work/generator}
# An interrupted set-up leaves an environment without pip.
[ -x "$generator/bin/pip" ] || python3 -m venv --clear "$generator"
"$generator/bin/pip" install --quiet --disable-pip-version-check --requirement requirements-build.txt
cp -r pyproject.toml README.md src examples "$work/"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../../package.json | head -1)
sed -i "s/^version = .*/version = \"$version\"/" "$work/pyproject.toml"
PATH="$generator/bin:$PATH" openapi-python-client generate --path "$contract" --config generator.yml --meta none \
  --output-path "$work/src/rapporteur/v2" --overwrite --fail-on-warning
"$generator/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out" "$work"
