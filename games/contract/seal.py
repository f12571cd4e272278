"""Sealed deals: a hash shown before the first move and a nonce told after the last prove that a deal was not changed.

Without the nonce the hash tells nothing of the deal, not even to who tries all deals. What it does not prove is how the
deal was drawn.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from games.contract.errors import RulesError
from games.contract.strict_json import canonical_json

NONCE_BYTES = 32

_HEX_256 = re.compile(r"[0-9a-fA-F]{64}")


class BadSeal(RulesError):
    """This is no seal, or it is not the seal of this deal."""


def seal_deal(deal: Mapping[str, Any], nonce: str) -> str:
    """The SHA-256, in hex, over the nonce's bytes (`nonce` is hex too) followed by the deal as canonical JSON."""
    return hashlib.sha256(bytes.fromhex(nonce) + canonical_json(dict(deal)).encode("ascii")).hexdigest()


def check_seal(deal: Mapping[str, Any], seal: object) -> None:
    """Pass if this is the `shuffle` of a record with that deal: an object of `sha256` and `nonce`, 64 hex digits each.

    Raises `BadSeal`: `wrong-type` (`key`, `wanted`), `missing-key` (`key`), `broken-seal`.
    """
    if not isinstance(seal, dict):
        raise BadSeal("wrong-type", key="shuffle", wanted="object")
    for key in ("sha256", "nonce"):
        if key not in seal:
            raise BadSeal("missing-key", key=f"shuffle.{key}")
        if not isinstance(seal[key], str) or not _HEX_256.fullmatch(seal[key]):
            raise BadSeal("wrong-type", key=f"shuffle.{key}", wanted="hex")
    if seal_deal(deal, seal["nonce"]) != seal["sha256"].lower():
        raise BadSeal("broken-seal")
