"""The log of the server tells what failed and where, and nothing that somebody wrote."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from tests.studio.both import BOTH
from tests.studio.work.desks import come_in, hidden_fields, invitation, make_project, work

from nliprobe.studio.context import Studio


@pytest.mark.parametrize("database", BOTH, indirect=True)
def test_a_row_that_the_database_refuses_is_not_in_the_log(
    app: Starlette, studio: Studio, caplog: pytest.LogCaptureFixture
) -> None:
    project = make_project(studio)
    rater = come_in(app, invitation(studio, project))
    fields = hidden_fields(rater.show(work(project)))
    # Somebody else's program has written what the studio is about to write.
    columns = "project, item, rater, revision, answer, given, seconds, remark, request, instructions, state"
    values = "project, item, rater, 0, '{}', 0, 0, 'their-remark', 'k', 0, 'void'"
    statement = text(f"INSERT INTO judgements ({columns}) SELECT {values} FROM work")
    studio.store.write(lambda connection: connection.execute(statement))
    answer = rater.submit(f"{work(project)}/judge", 500, **fields, label="E", remark="between us")
    assert "between us" not in answer.text
    assert "judge_item" in caplog.text, "where it failed"
    assert "IntegrityError" in caplog.text
    for word in ("between us", "their-remark", fields["request"], "secret-name"):
        assert word not in caplog.text
