"""The tables of simulation studies. What is shown, and what is right, stays in the files of the study."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKeyConstraint,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from nliprobe.people.store.schema import metadata

studies = Table(
    "studies",
    metadata,
    Column("name", Text, primary_key=True),
    Column("id", Text, nullable=False),  # of the questions that were answered; other questions are another study
    Column("title", Text, nullable=False),
    Column("most_participants", Integer),
    Column("is_open", Integer, nullable=False),  # whether whoever has the common link may join
    Column("made", Float(53), nullable=False),
)

participants = Table(
    "participants",
    metadata,
    Column("study", Text, nullable=False),
    Column("number", Integer, nullable=False),  # from 1: it decides the orders of stages and items
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("stages", Text, nullable=False),  # in this participant's order
    Column("note", Text, nullable=False),
    Column("external", Text, nullable=False),
    Column("joined", Float(53), nullable=False),
    Column("consented", Float(53)),
    Column("finished", Float(53)),
    Column("code", Text),
    Column("link", Integer, nullable=False, server_default="1"),  # the number of the link that lets them in
    Column("expires", Float(53)),  # from when on it lets nobody in who has not begun
    PrimaryKeyConstraint("study", "number"),
    UniqueConstraint("study", "name", name="one_per_name"),
    ForeignKeyConstraint(["study"], ["studies.name"]),
)

study_answers = Table(
    "study_answers",
    metadata,
    Column("study", Text, nullable=False),
    Column("participant", Integer, nullable=False),
    Column("stage", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("revision", Integer, nullable=False),  # the highest one counts
    Column("answer", Text, nullable=False),
    Column("given", Float(53), nullable=False),
    Column("seconds", Float(53)),
    Column("request", Text, nullable=False),  # the key by which a repeated request is recognised
    PrimaryKeyConstraint("study", "participant", "stage", "item", "revision"),
    ForeignKeyConstraint(["study", "participant"], ["participants.study", "participants.number"]),
    UniqueConstraint("study", "participant", "request", name="one_answer_per_request"),
)

study_feedback = Table(
    "study_feedback",
    metadata,
    Column("study", Text, nullable=False),
    Column("participant", Integer, nullable=False),
    Column("stage", Text, nullable=False),  # empty where the question is about the whole study
    Column("question", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("given", Float(53), nullable=False),
    Column("request", Text, nullable=False),
    PrimaryKeyConstraint("study", "participant", "stage", "question", "revision"),
    ForeignKeyConstraint(["study", "participant"], ["participants.study", "participants.number"]),
    UniqueConstraint("study", "participant", "request", "question", name="one_feedback_per_request"),
)
