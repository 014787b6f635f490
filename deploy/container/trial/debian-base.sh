#!/bin/sh
# Makes a base for the image where no registry of images is reachable: Debian's packages, and a Node.js of this machine.
#
#   deploy/container/trial/debian-base.sh NAME [FOLDER]
#
# FOLDER holds bin/node; without one it is the Node.js that runs here. npm is the one that runs here. Needs root, buildah
# and mmdebstrap.
set -eu
name=${1:?the name of the image}
node=${2:-$(dirname "$(dirname "$(node -p process.execPath)")")}
work=$(mktemp -d)
container=
trap '[ -z "$container" ] || buildah rm "$container" >/dev/null; rm -rf "$work"' EXIT

mmdebstrap --quiet --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$work/debian.tar"
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/debian.tar" / >/dev/null
buildah copy --quiet "$container" "$node/bin/node" /usr/local/bin/node >/dev/null
buildah copy --quiet "$container" "$(npm root --global)/npm" /usr/local/lib/node_modules/npm >/dev/null
buildah run --isolation chroot "$container" -- \
  ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
buildah commit --quiet "$container" "$name" >/dev/null
buildah run --isolation chroot "$container" -- node --version
