"""What people said, as files that nliprobe reads: ratings, marks, corpora, decisions, responses of studies.

Raters are named by their pseudonyms; the ids that a crowd platform has for them are written only if they are given.
"""
