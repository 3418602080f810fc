#!/usr/bin/env bash
# Generates the operations and models from the contract, and builds the module: build.sh FOLDER
# GENERATOR names a folder that keeps the generator for the next time.
set -euo pipefail
out=$(mkdir -p "${1:?a folder for the module}" && cd "$1" && pwd)
cd "$(dirname "$0")"
contract=$(cd ../.. && pwd)/libs/contracts/src/generated/public.v2.json
generator=${GENERATOR:-$(mktemp -d)}
[ -x "$generator/oapi-codegen" ] ||
  (cd "$out" && GOFLAGS=-mod=mod GOBIN="$generator" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2)
cp -r go.mod README.md ./*.go examples "$out/"
mkdir -p "$out/api"
"$generator/oapi-codegen" --config generator.yml -o "$out/api/api.go" "$contract"
cd "$out"
go mod tidy
go build ./...
