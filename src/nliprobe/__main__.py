"""Lets ``python -m nliprobe`` stand in for the ``nliprobe`` command."""

from nliprobe.cli.main import main

if __name__ == "__main__":
    main()
