"""The engine against the slow reference, on random winning hands."""

from random import Random

import pytest

import scoring
from tests.unit.scoring.support import reference
from tests.unit.scoring.support.asking import tally_of
from tests.unit.scoring.support.hands import as_request, winning_hand


@pytest.mark.parametrize("seed", range(40))
def test_the_engine_agrees_with_the_reference(seed: int) -> None:
    rng = Random(seed)
    for _ in range(50):
        hand = winning_hand(rng)
        request = as_request(hand)
        response = scoring.answer(request)
        tai, tallies = reference.best(hand)
        assert response["waits"] == reference.waits(hand), request
        if not tallies:
            assert not response["wins"], request
            continue
        assert response["tai"] == tai, (request, tallies, response)
        assert tally_of(response) in tallies, (request, tallies, response)
