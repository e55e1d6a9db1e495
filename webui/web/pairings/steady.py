"""穩的時鐘: signatures of cookies that hold through an evening, whatever happens to the computer's clock.

A laptop's clock may jump by a day or by years: an empty battery, another time zone set wrong, a network that puts it
right. The age of a cookie is counted by a clock that started with the server and only goes forward.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any

from itsdangerous import SignatureExpired, TimestampSigner

_STARTED = time.time() - time.monotonic()


def now() -> int:
    """Seconds since 1970, by the wall clock at the start of the process and by its steady clock since."""
    return int(_STARTED + time.monotonic())


class SteadySigner(TimestampSigner):
    """Signs with the steady clock. A cookie from a time when the clock was ahead is as good as a new one."""

    def get_timestamp(self) -> int:
        """The steady time."""
        return now()

    def unsign(self, signed_value: object, max_age: int | None = None, return_timestamp: bool = False) -> Any:
        """As `TimestampSigner.unsign`; an age below zero never exceeds `max_age`."""
        parent: Any = super()
        try:
            return parent.unsign(signed_value, max_age, return_timestamp)
        except SignatureExpired as error:
            signed: datetime | None = error.date_signed
            if signed is None or signed.timestamp() <= self.get_timestamp():
                raise
            return parent.unsign(signed_value, None, return_timestamp)
