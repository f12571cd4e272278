"""How long everything takes in BlockYou!, in whole milliseconds of match time. [ruling] All but FINAL."""

from __future__ import annotations

COUNT = 3_000
"""The countdown before a round opens, and before the first card of a solo match."""

PAUSE = 4_000
"""Between the end of a round and the next countdown."""

HOLD = 150
"""How long a claim waits, so that one made earlier over a slower line still comes first; also the most lag allowed."""

SEEN = 200
"""How long before a claim the player may have looked: what fitted then is no mistake."""

FINAL = 10_000
"""What the last player searching has after another's error."""

CAP = 90_000
"""The longest round."""

LIMITS = {"normal": 30_000, "expert": 10_000}
"""Solo, by the option `pace`: how long a card may be up."""

SOLO_END = 1_800_000
"""Solo: when the match is over on the match clock, cleared or not."""

PENALTY = 10_000
"""Solo: what an error adds to the score."""
