#!/bin/bash
# The part of the official image's entrypoint that the chart uses.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --pgdata="$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C --no-sync
  printf 'create database %s;\n' "$POSTGRES_DB" | postgres --single -F -D "$PGDATA" postgres
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec postgres -D "$PGDATA" -c 'listen_addresses=*' "$@"
