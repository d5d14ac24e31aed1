"""The studio: a web app for a team that reads runs, tries models, annotates and runs studies; extra ``studio``."""
