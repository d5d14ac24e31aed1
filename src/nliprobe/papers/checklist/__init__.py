"""A checklist for natural language inference: 194 templates, 17 capabilities, and how far people foresee a model."""

from __future__ import annotations
