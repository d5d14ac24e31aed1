"""InfoTabS: Inference on Tables as Semi-structured Data (Gupta et al., ACL 2020)."""

from __future__ import annotations
