"""Ground floor: errors, registry, spec strings, seeds, hashing, atomic files."""
