#!/usr/bin/env bash
# Builds the images on a machine that reaches package registries but no image registry (root; Debian packages: buildah runc
# mmdebstrap). The base image is made from Debian packages under the name that the Dockerfile asks for; everything else is
# the Dockerfile as it is. Usage: build-from-packages.sh TAG [services|runner|simulator|whisper ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
tag=$1
shift
targets=("${@:-services}")
[ $# -gt 0 ] || targets=(services runner simulator whisper)
base=$(sed -n 's/^ARG BASE_IMAGE=//p' deploy/images/Dockerfile)
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=overlay
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! buildah inspect --type image "$base" > /dev/null 2>&1; then
  # With this machine's sources: the security updates are among them.
  mmdebstrap --variant=minbase --include=ca-certificates bookworm "$work/base.tar" /etc/apt/sources.list.d/debian.sources
  printf 'FROM scratch\nADD base.tar /\nCMD ["bash"]\n' > "$work/Dockerfile"
  buildah build --pull-never -t "$base" "$work"
fi
# npm and pip behind this machine's own certificate authority; nothing of it stays in an image.
authorities=/etc/ssl/certs/ca-certificates.crt
printf 'cafile=/run/build-authorities.crt\n' > "$work/npmrc"
printf '[global]\ncert = /run/build-authorities.crt\n' > "$work/pip.conf"
for target in "${targets[@]}"; do
  buildah build --pull-never --layers --target "$target" -t "rapporteur-$target:$tag" \
    -v "$authorities:/run/build-authorities.crt:ro" -v "$work/npmrc:/root/.npmrc:ro" -v "$work/pip.conf:/etc/pip.conf:ro" \
    -f deploy/images/Dockerfile .
done
buildah images | grep rapporteur
