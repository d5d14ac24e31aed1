"""The tables of the swap paper."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from nliprobe.papers.asked import make_cases
from nliprobe.papers.recipes import Cell, Folders, find_recipes
from nliprobe.papers.swap.answers_file import FULL, HYPOTHESIS_ONLY, NAMES, SWAP, find_answers
from nliprobe.papers.swap.table1 import table1
from tests.conftest import require_corpus
