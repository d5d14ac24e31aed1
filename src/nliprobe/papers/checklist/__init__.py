"""A checklist for natural language inference: 194 templates, 17 capabilities, and how well people predict a model."""

from __future__ import annotations
