#!/usr/bin/env bash
# What a release makes without pushing anything (.github/workflows/release.yml pushes it). HELM names another helm.
#   release.sh chart FOLDER   the packaged chart, with the version of package.json
#   release.sh notes FOLDER   notes.md: the changelog's section of that version
set -euo pipefail
cd "$(dirname "$0")/../.."
what=${1:?chart or notes}
out=${2:?a folder}
mkdir -p "$out"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json | head -1)
case $what in
  chart)
    "${HELM:-helm}" package helm/rapporteur --destination "$out" --version "$version" --app-version "$version"
    ;;
  notes)
    awk -v heading="## $version" 'index($0, heading) == 1 { found = 1; next } found && /^## / { exit } found' CHANGELOG.md > "$out/notes.md"
    if ! grep -q . "$out/notes.md"; then
      echo "CHANGELOG.md has no section \"## $version\": rename Unreleased before the release." >&2
      exit 1
    fi
    ;;
  *)
    echo "Say chart or notes, not $what." >&2
    exit 2
    ;;
esac
