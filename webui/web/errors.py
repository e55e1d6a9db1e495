"""婉拒: what the pages of the store answer where something cannot be done: one sentence, and nothing changed."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, g

from scoring.rulebook.loading import RuleBookError
from webui.store.store import StoreError
from webui.web.templates import page_error


class NotDone(Exception):
    """A form that is not carried out: the key of its sentence, and what stands in it."""

    def __init__(self, key: str, status: int = 409, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.status = status
        self.values = values


def register(blueprint: Blueprint) -> None:
    """Let the blueprint's views raise NotDone, StoreError and RuleBookError."""
    blueprint.register_error_handler(NotDone, _not_done)
    blueprint.register_error_handler(StoreError, _unavailable)
    blueprint.register_error_handler(RuleBookError, _book)


def _not_done(error: NotDone) -> Any:
    return page_error(g.texts(error.key, **error.values)), error.status


def _unavailable(error: StoreError) -> Any:
    return page_error(error.message(g.texts.lang)), 503


def _book(error: RuleBookError) -> Any:
    return page_error(error.message(g.texts.lang)), 422
