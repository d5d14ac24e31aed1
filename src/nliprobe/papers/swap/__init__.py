"""What If We Simply Swap the Two Text Fragments? (Wang, Sun and Xing, AAAI 2019)."""

from __future__ import annotations
