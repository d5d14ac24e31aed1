"""Statements that change different rows and do not depend on one another: PostgreSQL is asked once for all of them.

To ask a server and to wait for its answer takes longer than most of our statements take to run. SQLite has no server,
and no form for this: it does them one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, text


class Together:
    """Some statements, in SQL that both databases understand, with the values of all of them by name.

    >>> both = Together("UPDATE a SET x = :x", "DELETE FROM b WHERE y = :y")
    >>> print(both.at_once)
    WITH step_0 AS (UPDATE a SET x = :x) DELETE FROM b WHERE y = :y
    """

    def __init__(self, *statements: str) -> None:
        *first, last = statements
        steps = ", ".join(f"step_{number} AS ({statement})" for number, statement in enumerate(first))
        self.apart = tuple(text(statement) for statement in statements)
        self.at_once = text(f"WITH {steps} {last}" if steps else last)

    def do(self, connection: Connection, values: Mapping[str, object]) -> None:
        """Do all of them."""
        for statement in (self.at_once,) if connection.dialect.name == "postgresql" else self.apart:
            connection.execute(statement, values)
