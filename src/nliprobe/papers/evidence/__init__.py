"""The tables and figures of "Is My Model Using the Right Evidence?" (Gupta et al. 2021)."""

from __future__ import annotations
