"""The simulation study: people foresee what a system answers; the study is a file, and so are their answers."""
