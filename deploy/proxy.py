"""Fills in nginx's configuration: `python -m deploy.proxy --help` prints one for a machine of its own."""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
STATIC = HERE.parent / "staticfiles"

POWERS = ", ".join(
    f"{power}=()" for power in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
)
"""The powers of a browser that no page needs, as `config/middleware.py` says them; a test compares."""

REDIRECT = """server {
    listen 80 default_server;
    listen [::]:80 default_server;
    server_name _;
    access_log off;
    # For certificates by the ACME protocol.
    location /.well-known/acme-challenge/ {
        root /var/www/acme;
    }
    location / {
        return 301 https://@HOST@$request_uri;
    }
}

"""

_BLANK = re.compile(r"@([A-Z]+)@")

_PLAIN = re.compile(r"[A-Za-z0-9_./:\[\]*-]+")
"""What a value may consist of: nothing that means something to nginx."""

CONNECTIONS = 8192
"""A page's socket takes two of a worker's: one from the visitor, one to us."""


@dataclass(frozen=True, slots=True)
class SiteConf:
    """What differs from one machine to the next. `sockets` and `pages` are addresses, as `10.0.0.5:8101`, `listen` is
    nginx's, as `443`. With `redirects` who comes by http is sent on to https.
    """

    hosts: Sequence[str]
    sockets: Sequence[str]
    pages: Sequence[str]
    certificate: Path
    key: Path
    static: Path = STATIC
    listen: Sequence[str] = ("443", "[::]:443")
    log: str = "/var/log/nginx/tesela.log"
    errors: str = "/var/log/nginx/error.log"
    redirects: bool = True

    def text(self) -> str:
        """The configuration. Raises `ValueError` for a value that can't stand in one."""
        paths = {"CERTIFICATE": str(self.certificate), "KEY": str(self.key), "STATIC": str(self.static)}
        paths |= {"LOG": self.log, "ERRORS": self.errors}
        for value in (*self.hosts, *self.sockets, *self.pages, *self.listen, *paths.values()):
            if not _PLAIN.fullmatch(value):
                raise ValueError(f"{value!r} can't stand in nginx's configuration.")
        return filled(
            "tesela.conf",
            **paths,
            HOSTS=" ".join(self.hosts),
            SOCKETS=_lines(f"server {address} max_fails=0;" for address in self.sockets),
            PAGES=_lines(f"server {address} max_fails=0;" for address in self.pages),
            LISTEN=_lines(f"listen {place} ssl http2;" for place in self.listen),
            LISTENFORALL=_lines(f"listen {place} ssl http2 default_server;" for place in self.listen),
            REDIRECT=REDIRECT.replace("@HOST@", self.hosts[0]) if self.redirects else "",
            POWERS=POWERS,
        )


def filled(template: str, **values: str) -> str:
    """The template of that name with every blank filled in. Raises `KeyError` for one that has no value."""
    return _BLANK.sub(lambda blank: values[blank[1]], (HERE / "nginx" / template).read_text(encoding="utf-8"))


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def write_alone(folder: Path, conf: SiteConf) -> Path:
    """Write what an nginx of one's own needs into the folder; the file to start it with. Raises `ValueError`."""
    if not _PLAIN.fullmatch(str(folder)):
        raise ValueError(f"The folder {str(folder)!r} can't stand in nginx's configuration.")
    (folder / "tesela.conf").write_text(conf.text(), encoding="utf-8")
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    alone = filled(
        "alone.conf",
        FOLDER=str(folder),
        # Root's workers would otherwise be nobody, who may not read what lies in root's folders.
        USER="user root;" if os.geteuid() == 0 else "",
        FILES=str(min(most_files, 4 * CONNECTIONS) if most_files > 0 else 4 * CONNECTIONS),
        CONNECTIONS=str(CONNECTIONS),
    )
    path = folder / "nginx.conf"
    path.write_text(alone, encoding="utf-8")
    return path


def nginx_command(conf: Path, *options: str) -> list[str]:
    """How to start nginx with that file. Raises `FileNotFoundError` where there is none."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        raise FileNotFoundError("There is no nginx here. On Debian: apt-get install nginx-light")
    return [program, "-e", "stderr", "-p", str(conf.parent), "-c", str(conf), *options]


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that this machine signs for itself, and its key; made once. Raises `FileNotFoundError`."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    if certificate.exists() and key.exists():
        return certificate, key
    program = shutil.which("openssl")
    if program is None:
        raise FileNotFoundError("There is no openssl here, to make a certificate. On Debian: apt-get install openssl")
    subprocess.run(
        [
            *(program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-days", "825", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    key.chmod(0o600)
    return certificate, key


def main(arguments: Sequence[str]) -> int:
    """Print the site's configuration for nginx; 2 if it can't be made of these."""
    parser = argparse.ArgumentParser(prog="python -m deploy.proxy", description="Prints the site's file for nginx.")
    parser.add_argument("hosts", nargs="+", help="the names of the site, the first one being the one in links")
    parser.add_argument("--sockets", nargs="+", default=["127.0.0.1:8101", "127.0.0.1:8102"], metavar="HOST:PORT")
    parser.add_argument("--pages", nargs="+", default=["127.0.0.1:8201", "127.0.0.1:8202"], metavar="HOST:PORT")
    parser.add_argument("--certificate", type=Path, help="default: /etc/letsencrypt/live/HOST/fullchain.pem")
    parser.add_argument("--key", type=Path, help="default: /etc/letsencrypt/live/HOST/privkey.pem")
    parser.add_argument("--static", type=Path, default=STATIC, help=f"STATIC_ROOT (default: {STATIC})")
    given = parser.parse_args(arguments)
    kept = Path("/etc/letsencrypt/live") / given.hosts[0]
    conf = SiteConf(
        hosts=given.hosts,
        sockets=given.sockets,
        pages=given.pages,
        certificate=given.certificate or kept / "fullchain.pem",
        key=given.key or kept / "privkey.pem",
        static=given.static,
    )
    try:
        print(conf.text(), end="")
    except ValueError as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
