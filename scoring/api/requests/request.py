"""請求: one `paitai score` request read strictly into values, with every problem of it at once.

Unknown keys and names are refused, and so is a hand that cannot be; each problem names key and value.
"""

from collections.abc import Mapping, Set
from typing import NamedTuple

from scoring.api.requests.fields import ABOUT, FieldReader, shown
from scoring.api.requests.form import MOST_DICE, MOST_STREAK
from scoring.hands.hand import FLOWER_WINS, PLAYERS, SEATS, Hand, Problem, Seat, WinContext
from scoring.messages.complaints import BadRequest, complaint
from scoring.rulebook.loading import RuleBook
from scoring.tally.counting import Plan, plan_of
from scoring.tiles import FLOWERS

NONE_UNKNOWN: frozenset[str] = frozenset()


class Request(NamedTuple):
    """A valid request: hand, context, the plan of its rule book, points of base and tai.

    `explain`: whether reasons are wanted. `responsible`: the player liable for the win (包牌). `shown_streak`: the
    number on the dealer's marker, None if it is right. `players`: four, three (三人) without North, or two.
    `win_dice`: the number that the winner threw (胡牌骰規), None if unknown.
    """

    hand: Hand
    context: WinContext
    plan: Plan
    base: int
    per_tai: int
    explain: bool = False
    responsible: Seat | None = None
    shown_streak: int | None = None
    players: int = 4
    win_dice: int | None = None

    @property
    def book(self) -> RuleBook:
        """The rule book."""
        return self.plan.book


def read_request(request: Mapping[str, object]) -> Request:
    """The request as values. Raises BadRequest, which holds every problem of it."""
    if type(request) is not dict and not isinstance(request, Mapping):  # a dict is seen at once
        raise BadRequest([complaint("not_request", value=shown(request))])
    fields = FieldReader(request)
    fields.keys()
    book = fields.book()
    concealed, suits = fields.closed()
    hand = Hand(concealed, fields.melds(), fields.tiles("flowers"), fields.tile("winning_tile"), suits)
    ordinary = fields.ordinary_context()  # most wins: nothing is wrong with one, or unknown of it
    context, players, unknown = (ordinary, PLAYERS[0], NONE_UNKNOWN) if ordinary else fields.context()
    win, robbed, sitting = context.win, context.robbed_flower, SEATS[:players]
    base, per_tai = fields.stakes(book)
    explain = fields.flag("explain") if "explain" in request else False
    responsible = fields.choice("responsible", sitting) if "responsible" in request else None
    shown_streak = None if request.get("shown_streak") is None else fields.whole("shown_streak", 0, MOST_STREAK)
    win_dice = None if request.get("win_dice") is None else fields.whole("win_dice", 1, MOST_DICE, least=1)
    if robbed is not None and robbed not in FLOWERS:
        fields.bad("robbed_flower_none", tile=robbed)
        context = context._replace(robbed_flower=None)

    problems = hand.problems()
    if hand.winning_tile is None and not hand.missing and win not in FLOWER_WINS and "win" not in unknown:
        problems.append(Problem("winning_tile_missing", {"win": win}))
    if not ordinary:
        problems += [problem for problem in context.problems(hand) if not foreseen(problem, book)]
    if problems:
        _tell(problems, fields, fields.unread | unknown)
    if responsible and book and "seat" not in unknown and fields.unread.isdisjoint(("win", "discarder")):
        unable = _responsible_problem(book, hand, context, responsible)
        if unable:
            fields.bad(unable.key, **unable.args)
    if shown_streak is not None and book and book.payment.streak_marker == "not_mentioned":
        fields.bad("shown_streak_needless")
    if win_dice is not None and book and book.payment.win_dice == "not_mentioned":
        fields.bad("win_dice_needless")
    if fields.complaints or book is None:
        raise BadRequest(fields.complaints)
    return Request(hand, context, plan_of(book), base, per_tai, explain, responsible, shown_streak, players, win_dice)


def _tell(problems: list[Problem], fields: FieldReader, unread: Set[str]) -> None:
    """Complain of impossible values, unless a problem is about an unreadable key."""
    for problem in problems:
        if unread.isdisjoint(ABOUT.get(problem.key, ())):
            fields.bad(problem.key, **problem.args)


def foreseen(problem: Problem, book: RuleBook | None) -> bool:
    """人胡與地聽: whether this book allows a contradiction, because it decides which of the two counts."""
    if book is None or problem.key != "events_contradict":
        return False
    both = {problem.args["event"], problem.args["other"]}
    return both == {"human_win", "earthly_ready"} and "earthly_ready" in book.patterns["human_win"].excludes


def _responsible_problem(book: RuleBook, hand: Hand, context: WinContext, responsible: Seat) -> Problem | None:
    """Why he cannot answer for the win under this book, or None."""
    from scoring.settlement.wins import WonHand, why_not_liable  # ordinary requests name nobody

    kong_draw = context.win == "self_draw" and context.exposed_kong_draw(hand)
    won = WonHand(context.seat, context.win, {}, context.discarder, kong_draw=kong_draw, responsible=responsible)
    why = why_not_liable(book, won)
    if why is None:
        return None
    return Problem(f"responsible_{why}", {"seat": responsible} if why in ("is_winner", "not_discarder") else {})
