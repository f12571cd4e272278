#!/bin/sh
# Brings one machine to the code that lies in /srv/tesela, and loses no match for it: one process after the other, each
# only when the one before is ready again. As root, on every machine; on the first with --migrate, before all others.
set -eu
cd /srv/tesela
listen=$(sed -n "s/^LISTEN=//p" /etc/tesela.env)

as_tesela() {
  # With the settings of the services, and their rights.
  systemd-run --quiet --pipe --wait --collect --uid=tesela --working-directory=/srv/tesela \
    --property=EnvironmentFile=/etc/tesela.env "$@"
}

restart() {
  for unit in $(systemctl list-units --plain --no-legend "$1" | cut -d ' ' -f 1); do
    echo "$unit"
    systemctl restart "$unit"
    case "$unit" in
      tesela-keeper@*) sleep 2 ;;
      *)
        port=${unit#*@}
        until curl --fail --silent --output /dev/null --max-time 5 "http://${listen:-127.0.0.1}:${port%.service}/readyz"; do sleep 0.2; done
        ;;
    esac
  done
}

if [ "${1:-}" = --migrate ]; then
  as_tesela .venv/bin/python manage.py migrate
fi
# The files of the version before stay: pages that are open ask for them.
as_tesela .venv/bin/python manage.py collectstatic --no-input
restart 'tesela-pages@*'
restart 'tesela-sockets@*'
restart 'tesela-keeper@*'
