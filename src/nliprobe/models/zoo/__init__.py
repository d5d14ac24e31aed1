"""Networks, one file each; they need the ``[torch]`` extra and are imported when used."""
