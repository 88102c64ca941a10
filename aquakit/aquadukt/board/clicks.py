"""How a turn of Aquädukt is clicked together: whatever is offered is a legal action, or leads to one."""

from __future__ import annotations

from aquakit.aquadukt.board.diagram import player_name
from aquakit.aquadukt.layout import LETTERS
from aquakit.aquadukt.notation import Action
from aquakit.aquadukt.position import Position
from aquakit.aquadukt.reasons import why_no_spring
from aquakit.board.clicks import CHANCE, Choice, NumberEntry, Offer, Refusal
from aquakit.core.words import capital, count, join

BUTTONS = {
    "roll": "Roll the die",
    "spring": "Place a spring",
    "decline": "Decline",
    "stop": "Stop",
    "pass": "Pass",
}
"""The kinds of action that are chosen by a button or its first letter; a spring's point is chosen next."""
WAYS = {
    "roll": "roll the die",
    "spring": "place a spring",
    "canal": "lay canals",
    "pass": "pass, for nothing else is possible",
}
"""What a turn can be made of."""


def offer(position: Position, picked: tuple[str, ...] = ()) -> Offer:
    """Gets what can be chosen after what has been picked: that a spring is placed, or the square to build on.

    While the die is thrown the only choice is `CHANCE`, beside the entry of what a real die shows.
    """
    player, legal = position.player, position.actions()
    if player is None:
        return Offer(_say_winners(position))
    match position.phase, picked:
        case "turn", ():
            made = _ask_turn(position, legal)
        case "turn", _:
            made = _ask_point(position, legal)
        case "die", _:
            made = _ask_die(position)
        case "house", ():
            made = _ask_square(position, legal)
        case "house", (square, *_):
            made = _ask_houses(position, legal, square, LETTERS[player - 1])
        case "again", _:
            made = Offer("roll again, or stop", _buttons(legal, roll="Roll again"), entry=_roll(position))
        case _:
            made = Offer("lay a second canal, or stop", (*_canals(position, legal), *_buttons(legal)))
    return made._replace(prompt=f"{capital(player_name(player))}: {made.prompt}")


def _say_winners(position: Position) -> str:
    winners = position.winners()
    points = count(position.scores()[winners[0] - 1], "point")
    if len(winners) == 1:
        return f"The game is over: {player_name(winners[0])} wins with {points}"
    letters = [LETTERS[player - 1] for player in winners]
    return f"The game is over: {join(letters, 'and')} share the win with {points}"


# What a turn is made of


def _ask_turn(position: Position, legal: list[Action]) -> Offer:
    kinds = {action.what for action in legal}
    prompt = join([way for what, way in WAYS.items() if what in kinds], "or")
    entry = _roll(position) if "roll" in kinds else None
    return Offer(prompt, (*_buttons(legal), *_canals(position, legal)), entry=entry)


def _buttons(legal: list[Action], **labels: str) -> tuple[Choice, ...]:
    """Makes the buttons of the legal actions, with labels of their own if given."""
    kinds = {action.what for action in legal}
    acts = {what: "" if what == "spring" else what for what in BUTTONS if what in kinds}
    return tuple(
        Choice(what, labels.get(what, BUTTONS[what]), "button", act=act, key=what[0]) for what, act in acts.items()
    )


def _canals(position: Position, legal: list[Action]) -> tuple[Choice, ...]:
    return tuple(_canal(position, action) for action in legal if action.what == "canal")


def _canal(position: Position, action: Action) -> Choice:
    """Offers a canal, with the number of squares that it brings their first water."""
    name, token, supply = action.segment, str(action), position.supply
    wet = sum(fed > 0 and not supply[square] for square, fed in position.act(action).supply.items())
    note = f"+{wet}" if wet else ""
    if name in position.canals:
        return Choice(token, f"second canal on {name}: double", "double", (name,), token, note=note)
    return Choice(token, f"canal on {name}", "single", (name,), token, note=note)


def _ask_point(position: Position, legal: list[Action]) -> Offer:
    tokens = {action.point: str(action) for action in legal if action.what == "spring"}
    choices = [Choice(token, f"spring on {point}", "dot", (point,), token) for point, token in tokens.items()]
    layout, state = position.layout, position.state
    refusals = [
        Refusal(point, why_no_spring(layout, state, Action("spring", point=point)))
        for point in layout.point_index
        if point not in tokens
    ]
    return Offer("choose a point for the spring", tuple(choices), refusals=tuple(refusals))


# The die and houses


def _roll(position: Position) -> NumberEntry:
    return NumberEntry("a real die shows", 1, len(position.layout.regions), "roll, die {}")


def _ask_die(position: Position) -> Offer:
    throw = Choice("throw", "Throw the die", "button", act=CHANCE, key="t")
    return Offer("throw the die", (throw,), entry=_roll(position)._replace(label="the die shows", act="die {}"))


def _ask_square(position: Position, legal: list[Action]) -> Offer:
    squares = dict.fromkeys(action.square for action in legal if action.what == "house")
    choices = [Choice(square, f"{square}, {_water(position, square)}", "square", (square,)) for square in squares]
    return Offer(f"build in region {position.die}, or decline", (*choices, *_buttons(legal)))


def _water(position: Position, square: str) -> str:
    fed = position.supply[square]
    return count(fed, "canal") if fed else "no water"


def _ask_houses(position: Position, legal: list[Action], square: str, letter: str) -> Offer:
    """Offers the tiles of a player's letter for a square, as they would look there."""
    state = "w" if position.supply[square] else "d"
    choices = []
    for action in legal:
        if action.square == square:
            token, value = str(action), action.value
            label, piece = f"{count(value, 'house')} on {square}", f"{letter}{value}{state}"
            choices.append(Choice(token, label, "ghost", (square,), token, piece, str(value), key=str(value)))
    return Offer(f"choose how many houses go on {square}", (*choices, *_buttons(legal)))


# Words
