"""What every other room builds on: errors, registry, spec strings, seeds, hashing, atomic files."""
