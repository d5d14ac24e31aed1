"""Let the database itself refuse to change or delete lines of the logs: who did what is only ever added."""

from __future__ import annotations

from sqlalchemy import Connection, text

_LOGS = ("log", "events")
_SAID = "lines of the log are only added"
_FUNCTION = f"""
CREATE OR REPLACE FUNCTION nliprobe_lines_are_kept() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{_SAID}'; END $$
"""


def guard_logs(connection: Connection) -> None:
    """Add the guards to a store that has none."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(_FUNCTION))
        for log in _LOGS:
            connection.execute(
                text(
                    f"CREATE TRIGGER {log}_is_kept BEFORE UPDATE OR DELETE ON {log} "
                    "FOR EACH ROW EXECUTE FUNCTION nliprobe_lines_are_kept()"
                )
            )
        return
    for log in _LOGS:
        for action in ("UPDATE", "DELETE"):
            name = f"{log}_is_kept_from_{action.lower()}"
            refused = f"SELECT RAISE(ABORT, '{_SAID}')"
            connection.execute(text(f"CREATE TRIGGER {name} BEFORE {action} ON {log} BEGIN {refused}; END"))
