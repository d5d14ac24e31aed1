"""Code that exported tasks carry with them. It is copied as it stands, and must not need nliprobe."""
