"""The tables of the store. Keys are names, so that a dump of it can be read, and statements are the same everywhere.

What the rules of work need is guarded by the database itself: nobody judges an item twice (the key of ``work``), no
item has more raters than wanted (a check), a key of a request counts once (a unique constraint).
"""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

# The version of these tables; an older store is brought up to it by the steps of migrate.py.
VERSION = 3

metadata = MetaData()

meta = Table("meta", metadata, Column("name", Text, primary_key=True), Column("value", Text, nullable=False))

projects = Table(
    "projects",
    metadata,
    Column("name", Text, primary_key=True),
    Column("task", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("raters_per_item", Integer, nullable=False),
    Column("most_per_rater", Integer),
    Column("attention_every", Integer, nullable=False),
    Column("batches_open", Integer, nullable=False),
    Column("lease_seconds", Integer, nullable=False),
    Column("seed", Integer, nullable=False),
    Column("created", Float(53), nullable=False),
)

# Instructions have versions, because what raters had read belongs to what they said.
instructions = Table(
    "instructions",
    metadata,
    Column("project", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("created", Float(53), nullable=False),
    PrimaryKeyConstraint("project", "version"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
)

# Narrow, because it is searched at every request; what items say is in ``contents``.
items = Table(
    "items",
    metadata,
    Column("project", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("number", Integer, nullable=False),  # in the order in which they were added
    Column("stratum", Text, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("place", Integer, nullable=False),  # in the drawn order in which they are handed out
    Column("wanted", Integer),  # none for an attention item, which every rater may get
    Column("taken", Integer, nullable=False),  # judgements that count, and raters who have it now
    PrimaryKeyConstraint("project", "name"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
    CheckConstraint("taken >= 0 AND (wanted IS NULL OR taken <= wanted)", name="not_over_wanted"),
    # Handing out takes the first one of a drawn place.
    Index("items_placed", "project", "batch", "taken", "place"),
)

# How many items are alike to whoever hands them out; tallies.py keeps them.
tallies = Table(
    "tallies",
    metadata,
    Column("project", Text, nullable=False),
    Column("stratum", Text, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("taken", Integer, nullable=False),
    Column("wanted", Integer, nullable=False),  # 0 for attention items
    Column("size", Integer, nullable=False),
    PrimaryKeyConstraint("project", "stratum", "batch", "taken", "wanted"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
    CheckConstraint("size >= 0", name="not_below_none"),
)

contents = Table(
    "contents",
    metadata,
    Column("project", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("hidden", Text, nullable=False),
    Column("expected", Text),
    PrimaryKeyConstraint("project", "item"),
    ForeignKeyConstraint(["project", "item"], ["items.project", "items.name"]),
)

raters = Table(
    "raters",
    metadata,
    Column("project", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("external", Text, nullable=False),
    Column("number", Integer, nullable=False),  # in the order in which they came
    Column("joined", Float(53), nullable=False),
    Column("given", Integer, nullable=False, server_default="0"),  # ordinary items that they have judged or have
    Column("link", Integer, nullable=False, server_default="1"),  # the number of the link that lets them in
    PrimaryKeyConstraint("project", "name"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
)

# One row per item that a rater was given: a rater has an item, had it, or is done with it.
work = Table(
    "work",
    metadata,
    Column("project", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("given", Float(53), nullable=False),
    Column("due", Float(53), nullable=False),
    Column("reason", Text, nullable=False),
    Column("flagged", Integer, nullable=False),
    PrimaryKeyConstraint("project", "item", "rater"),
    ForeignKeyConstraint(["project", "item"], ["items.project", "items.name"]),
    ForeignKeyConstraint(["project", "rater"], ["raters.project", "raters.name"]),
    Index("work_of_rater", "project", "rater", "state"),
    Index("work_due", "project", "state", "due"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("project", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("given", Float(53), nullable=False),
    Column("seconds", Float(53)),
    Column("remark", Text, nullable=False),
    Column("request", Text, nullable=False),  # the key by which a repeated request is recognised
    Column("instructions", Integer, nullable=False),  # the version that was in force
    Column("state", Text, nullable=False),
    PrimaryKeyConstraint("project", "item", "rater", "revision"),
    ForeignKeyConstraint(["project", "item", "rater"], ["work.project", "work.item", "work.rater"]),
    UniqueConstraint("project", "rater", "request", name="one_per_request"),
)

# Who did what; rows are only ever added.
log = Table(
    "log",
    metadata,
    Column("project", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", Float(53), nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),
    PrimaryKeyConstraint("project", "number"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
)

# An unfinished answer, so that work goes on on another device; gone when the item is judged.
drafts = Table(
    "drafts",
    metadata,
    Column("project", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    PrimaryKeyConstraint("project", "item", "rater"),
    ForeignKeyConstraint(["project", "item", "rater"], ["work.project", "work.item", "work.rater"]),
)

# What the owner decides where raters differ; the newest counts, the others are its history.
adjudications = Table(
    "adjudications",
    metadata,
    Column("project", Text, nullable=False),
    Column("item", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("answer", Text, nullable=False),
    Column("who", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    Column("reason", Text, nullable=False),
    PrimaryKeyConstraint("project", "item", "number"),
    ForeignKeyConstraint(["project", "item"], ["items.project", "items.name"]),
)

# A link holds the project and the number, signed; what it still allows is said here.
invitations = Table(
    "invitations",
    metadata,
    Column("project", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("made", Float(53), nullable=False),
    Column("expires", Float(53)),
    Column("note", Text, nullable=False),
    Column("most_uses", Integer),
    Column("uses", Integer, nullable=False),
    Column("revoked", Float(53)),
    PrimaryKeyConstraint("project", "number"),
    ForeignKeyConstraint(["project"], ["projects.name"]),
    CheckConstraint("uses >= 0 AND (most_uses IS NULL OR uses <= most_uses)", name="not_over_most_uses"),
)

# The code by which a crowd platform knows that a rater has finished.
completions = Table(
    "completions",
    metadata,
    Column("project", Text, nullable=False),
    Column("rater", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    PrimaryKeyConstraint("project", "rater"),
    ForeignKeyConstraint(["project", "rater"], ["raters.project", "raters.name"]),
)

# Who did what that is not about one project; rows are only ever added.
events = Table(
    "events",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("at", Float(53), nullable=False),
    Column("who", Text, nullable=False),
    Column("what", Text, nullable=False),
    Column("about", Text, nullable=False),
)
