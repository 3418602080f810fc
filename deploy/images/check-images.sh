#!/usr/bin/env bash
# Runs the built images as the chart runs them on OpenShift: a user that they do not have with group 0, no capabilities, read-only
# root, no network.
# Usage: check-images.sh TAG [services|runner|simulator|whisper ...] (root; Debian packages podman, runc)
# CONTAINER_ENGINE=docker runs them with Docker. With RAPPORTEUR_DATABASE_URL and RAPPORTEUR_BUS_URL, of servers that the
# network of the machine reaches, api-gateway has to become ready.
set -euo pipefail
cd "$(dirname "$0")/../.."
tag=${1:?the tag}
shift
targets=${*:-services runner simulator whisper}
export engine=${CONTAINER_ENGINE:-podman} network=none user=1000730000:0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Without a session manager, and with limits below those that podman asks for.
printf '%s\n' '[containers]' 'default_ulimits = ["nofile=16384:16384", "nproc=16384:16384"]' '[engine]' 'runtime = "runc"' 'cgroup_manager = "cgroupfs"' 'events_logger = "file"' > "$work/containers.conf"
export CONTAINERS_CONF=$work/containers.conf
run() { "$engine" run --rm --pull=never --read-only --tmpfs /tmp --cap-drop=all --security-opt no-new-privileges --network="$network" --user="$user" "$@"; }
# Its first word is the image: only requested images are checked.
check() { [[ " $targets " = *" ${1%%:*} "* ]] || return 0; printf '%-60s' "$1"; shift; if out=$("$@" 2>&1); then echo ok; else echo FAILED; echo "$out"; exit 1; fi; }

for service in api-gateway bot-scheduler calendar-sync console delivery sso-idp storage-config transcriber; do
  # Without settings a service says which are missing, and ends with 78.
  check "services: $service reads its configuration" bash -c "$(declare -f run); run localhost/rapporteur-services:$tag node /app/$service/main.js check-configuration; [ \$? = 78 ]"
done
if [ -n "${RAPPORTEUR_DATABASE_URL:-}" ] && [ -n "${RAPPORTEUR_BUS_URL:-}" ]; then
  check 'services: api-gateway becomes ready' bash -c "$(declare -f run); network=host; run -e RAPPORTEUR_DATABASE_URL -e RAPPORTEUR_BUS_URL localhost/rapporteur-services:$tag sh -c '
  export RAPPORTEUR_INTERNAL_SECRET=00000000000000000000000000000000 RAPPORTEUR_ADMIN_TOKEN=00000000000000000000000000000000
  for owner in BOT_SCHEDULER CALENDAR_SYNC DELIVERY SSO_IDP STORAGE_CONFIG; do export RAPPORTEUR_\${owner}_URL=http://127.0.0.1:9; done
  RAPPORTEUR_HOST=127.0.0.1 RAPPORTEUR_PORT=39000 RAPPORTEUR_ADMIN_HOST=127.0.0.1 RAPPORTEUR_ADMIN_PORT=39001 node /app/api-gateway/main.js &
  node -e \"
    const until = Date.now() + 120000;
    const ready = async () => { const r = await fetch(\\\"http://127.0.0.1:39000/health/ready\\\"); if (r.status !== 200) throw new Error(r.status); };
    const attempt = () => ready().then(() => process.exit(0), () => Date.now() > until ? process.exit(1) : setTimeout(attempt, 500));
    attempt();
  \"'"
fi
check 'services: the documentation site is beside them' bash -c "$(declare -f run); run localhost/rapporteur-services:$tag test -s /app/docs/index.html"
check 'services: the command line is on the path' bash -c "$(declare -f run); run localhost/rapporteur-services:$tag rapporteur --version | grep -qE '^[0-9]+[.]'"
check 'services: the user of the image is not root' bash -c "$(declare -f run); [ \"\$(\$engine inspect --format '{{.Config.User}}' localhost/rapporteur-services:$tag)\" = 1000:1000 ]"
check 'runner: ffmpeg has H.264, AAC and Opus' bash -c "$(declare -f run); run localhost/rapporteur-runner:$tag ffmpeg -hide_banner -encoders | grep -cE 'libx264 |  aac |libopus ' | grep -qx 3"
check 'whisper: the model of the image is verified and transcribes' bash -c "$(declare -f run); run localhost/rapporteur-whisper:$tag /app/venv/bin/python -c \"import pathlib, numpy; from whisper_server.configuration import Configuration; from whisper_server.models import fetch_model, find_model; from whisper_server.recognizer import Recognizer; recognizer = Recognizer(Configuration()); recognizer.use(fetch_model(find_model('tiny.en', ''), pathlib.Path('/app/models'))); recognizer.recognize(numpy.zeros(16000, numpy.float32), language=None, prompt=None)\""
check 'runner: fonts for many scripts' bash -c "$(declare -f run); for language in ja ar hi th ko; do run localhost/rapporteur-runner:$tag fc-list :lang=\$language | grep -q . || exit 1; done"
check 'runner: Chromium with its sandbox under the seccomp profile' bash -c "$(declare -f run); run --security-opt seccomp=helm/rapporteur/files/chromium-seccomp.json -e HOME=/tmp localhost/rapporteur-runner:$tag chromium --headless --disable-gpu --user-data-dir=/tmp/profile --dump-dom 'data:text/html,<p id=found>rendered</p>' | grep -q rendered"
check 'runner: the runner reads its configuration' bash -c "$(declare -f run); run localhost/rapporteur-runner:$tag node /app/bot-runner/main.js | grep -q 'does not start' || run localhost/rapporteur-runner:$tag node /app/bot-runner/main.js 2>&1 | grep -q LAUNCH_TICKET"
check 'simulator: starts, and has a room' bash -c "$(declare -f run); run --tmpfs /data:mode=1777 localhost/rapporteur-simulator:$tag sh -c '
  node --disable-warning=ExperimentalWarning tools/simulator/src/main.ts --data-folder=/data --host=0.0.0.0 --https-port=8443 --control-port=8090 & 
  node -e \"
    const until = Date.now() + 60000;
    const room = async () => { const r = await fetch(\\\"http://127.0.0.1:8090/rooms\\\", { method: \\\"POST\\\", headers: { \\\"content-type\\\": \\\"application/json\\\" }, body: \\\"{}\\\" }); if (r.status !== 201) throw new Error(r.status); };
    const attempt = () => room().then(() => process.exit(0), () => Date.now() > until ? process.exit(1) : setTimeout(attempt, 500));
    attempt();
  \"'"
