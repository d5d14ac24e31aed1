"""Projects and judgements in the formats of other annotation programs."""
