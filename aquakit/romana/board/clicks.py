"""How a turn of Aqua Romana is clicked together: what can be chosen next, in words, and how a builder walked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from aquakit.board.clicks import Choice, Look, Offer, Walk
from aquakit.core.grid import SIDES
from aquakit.core.words import capital
from aquakit.romana import kernel
from aquakit.romana.board.diagram import headline
from aquakit.romana.kernel import CODES, KIND_OF, KINDS, SEGMENTS, Work
from aquakit.romana.layout import COLOURS, Layout
from aquakit.romana.notation import Action, decode
from aquakit.romana.position import Aqueduct, Position

KIND_NAMES = dict(zip(KINDS, ("curve", "straight", "bridge", "double curve", "joker"), strict=True))

JOKER = KINDS[kernel.JOKER]

TURNING = "|-LF7J+ZN"
"""All tiles, those of a kind in the order in which a quarter turn to the right leads from one to the next."""

_SIDE_NAMES = ("north", "east", "south", "west")
_CORNERS = dict(zip(SIDES, ("NE", "SE", "SW", "NW"), strict=True))
"""The fountain behind each side of the path, clockwise."""


def offer(position: Position, picked: tuple[str, ...] = ()) -> Offer:
    """Says what can be chosen after what has been picked."""
    match position.phase, picked:
        case "setup", ():
            return _offer_spare_builders(position)
        case "setup", (kind,):
            return _offer_path_squares(position, kind)
        case "place", _:
            return _offer_path_squares(position, position.actions()[0].builder)
        case "build", ():
            return _offer_workmen(position)
        case "build", (workman,):
            return _offer_builders_in_sight(position, workman)
        case "build", (workman, path):
            return _offer_tiles(position, workman, path)
        case "advance", _:
            return _offer_builders(position)
        case "extra", ():
            return _offer_squares(position)
        case "extra", (square,):
            return _offer_extra_tiles(position, square)
        case "close", _:
            return _offer_closings(position)
        case "pick", _:
            return _offer_reserve(position)
        case _:
            return Offer(_tell_end(position))


# Words


def name_builder(kind: str) -> str:
    """Names a builder by its kind.

    >>> name_builder("c"), name_builder("j")
    ('curve builder', 'joker')
    """
    return KIND_NAMES[kind] if kind == JOKER else f"{KIND_NAMES[kind]} builder"


def name_tile(tile: str) -> str:
    """Names a tile and how it lies.

    >>> [name_tile(tile) for tile in "L-+Z"]
    ['curve from north to east', 'straight from east to west', 'bridge', 'double curve NW and SE']
    """
    kind, segments = kind_of(tile), SEGMENTS[CODES.index(tile)]
    match kind:
        case "b":
            return KIND_NAMES[kind]
        case "d":
            corners = (SIDES[a] + SIDES[b] for a, b in segments)
            return f"{KIND_NAMES[kind]} {' and '.join(corners)}"
        case _:
            start, end = (_SIDE_NAMES[side] for side in segments[0])
            return f"{KIND_NAMES[kind]} from {start} to {end}"


def name_laid(tile: str, square: str) -> str:
    """Names a tile, how it lies and where, whoever brings it.

    >>> name_laid("L", "b3")
    'curve from north to east on b3'
    """
    return f"{name_tile(tile)} on {square}"


def piece_of(tile: str) -> str:
    """Gets the picture's definition of a tile; a bridge is drawn in two parts, for water runs between them.

    >>> piece_of("L"), piece_of("+")
    ('t3', 't7 deck')
    """
    return f"t{CODES.index(tile)}{' deck' if kind_of(tile) == 'b' else ''}"


def name_colours(layout: Layout, player: int) -> str:
    """Names a player by colours.

    >>> name_colours(Layout.load("romana2"), 1)
    'Yellow+Blue'
    """
    return "+".join(COLOURS[letter] for letter in layout.players[player - 1])


def kind_of(tile: str) -> str:
    """Gets the letter of a tile's kind.

    >>> kind_of("L"), kind_of("+")
    ('c', 'b')
    """
    return KINDS[KIND_OF[CODES.index(tile)]]


def _only_kind(actions: Iterable[Action]) -> str | None:
    """Names the kind of tile that all actions lay, or nothing if they lay several."""
    kinds = {kind_of(action.tile) for action in actions}
    return KIND_NAMES[kinds.pop()] if len(kinds) == 1 else None


def tell_lack(kind: str) -> str:
    """Says why a builder brings tiles that are not of its kind.

    >>> tell_lack("s")
    'no straight is left'
    """
    return f"no {KIND_NAMES[kind]} is left"


def _tell_tiles(actions: Sequence[Action]) -> str:
    """Says what is to be decided about the tile on a square."""
    kind, square = _only_kind(actions), actions[0].square
    extra = "extra " if actions[0].what == "extra" else ""
    if len(actions) == 1:
        return f"lay the {extra}{kind} on {square}"
    return f"choose how the {extra}{kind} lies on {square}" if kind else f"choose the {extra}tile for {square}"


def _tell_end(position: Position) -> str:
    """Says that nothing can be chosen, and in a finished game who won."""
    end = capital(headline(position))
    if position.is_solo:
        return end
    won = position.winners()
    winners, points = [name_colours(position.layout, player) for player in won], position.scores()[won[0] - 1]
    if len(winners) == 1:
        return f"{end}: {winners[0]} wins with {points}"
    return f"{end}: {', '.join(winners[:-1])} and {winners[-1]} share the win with {points}"


def _ask(
    position: Position, what: str, choices: Iterable[Choice], rays: Iterable[tuple[str, str]] = (), colour: str = ""
) -> Offer:
    assert position.player is not None
    return Offer(f"{name_colours(position.layout, position.player)}: {what}", tuple(choices), tuple(rays), colour)


def _decide(
    action: Action, label: str, look: Look, *on: str, piece: str = "", note: str = "", key: str = "", **options: bool
) -> Choice:
    """Makes the choice that carries out an action."""
    return Choice(str(action), label, look, on, act=str(action), piece=piece, note=note, key=key, **options)


# Builders


def _offer_spare_builders(position: Position) -> Offer:
    kinds = dict.fromkeys(action.builder for action in position.actions())
    choices = [Choice(kind, name_builder(kind), "ring", (f"spare={kind}",), named=True, key=kind) for kind in kinds]
    return _ask(position, "choose a builder to place", choices)


def _offer_path_squares(position: Position, kind: str) -> Offer:
    def choice(action: Action) -> Choice:
        return _decide(action, f"{name} on {action.path}", "square", action.path, piece=f"b{kind}")

    name = name_builder(kind)
    choices = [choice(action) for action in position.actions() if action.builder == kind]
    return _ask(position, f"choose where the {name} goes", choices)


def _offer_builders(position: Position) -> Offer:
    def choice(action: Action) -> Choice:
        label = f"{name_builder(builders[action.path])} on {action.path}"
        return _decide(action, label, "ring", f"builder={action.path}")

    builders = position.builders
    return _ask(position, "nothing can be built; choose a builder to advance", map(choice, position.actions()))


def _offer_reserve(position: Position) -> Offer:
    def choice(action: Action) -> Choice:
        label = f"take the {name_builder(action.builder)}"
        return _decide(action, label, "ring", f"reserve={action.builder}", named=True, key=action.builder)

    return _ask(position, "take a builder from the reserve", map(choice, position.actions()))


# Extensions


def _extensions(position: Position, a: Aqueduct) -> list[Action]:
    """Lists an aqueduct's extensions: those its player would have with no other workman."""
    layout, s, w = position.layout, position.state, Work.new(position.layout.sizes)
    s.open &= 1 << layout.aqueduct_index[a.name]
    return [decode(layout, code) for code in w.actions[: kernel.extensions(layout.tables, s, w)]]


def _offer_workmen(position: Position) -> Offer:
    able = [a for a in position.aqueducts if _extensions(position, a)]
    faced = Counter(a.facing for a in able)

    def choice(a: Aqueduct) -> Choice:
        # A click on a square that two workmen face would not say which of them is meant.
        before = (a.facing,) if a.facing and faced[a.facing] == 1 else ()
        label = f"{a.name}, length {a.length}, before {a.facing}"
        return Choice(a.name, label, "ring", (f"workman={a.name}", *before))

    return _ask(position, "choose an aqueduct to extend", map(choice, able))


def _offer_builders_in_sight(position: Position, workman: str) -> Offer:
    a = _find(position, workman)
    tiles = Counter(action.path for action in _extensions(position, a))

    def choice(path: str) -> Choice:
        count = f"{tiles[path]} {'tile' if tiles[path] == 1 else 'tiles'}"
        label = f"{name_builder(position.builders[path])} on {path}: {count}"
        return Choice(path, label, "ring", (f"builder={path}",))

    return _ask(position, f"choose a builder for {workman}", map(choice, tiles), _rays(a, tiles), workman[0])


def _offer_tiles(position: Position, workman: str, path: str) -> Offer:
    a, builder = _find(position, workman), position.builders[path]
    using = [action for action in _extensions(position, a) if action.path == path]
    what = _tell_tiles(using)
    if builder == JOKER:
        what += " (the joker brings any kind)"
    elif any(kind_of(action.tile) != builder for action in using):
        what += f" ({tell_lack(builder)}, so any kind)"
    return _ask(position, what, _lay_all(using), _rays(a, [path]), workman[0])


def _find(position: Position, aqueduct: str) -> Aqueduct:
    return position.aqueducts[position.layout.aqueduct_index[aqueduct]]


def _rays(a: Aqueduct, path_squares: Iterable[str]) -> list[tuple[str, str]]:
    return [(a.end, path) for path in path_squares]


def _lay_all(actions: Iterable[Action]) -> list[Choice]:
    """Makes the choices of tiles for a square, as one turns to the next."""
    return [_lay(action) for action in sorted(actions, key=lambda action: TURNING.index(action.tile))]


def _lay(action: Action) -> Choice:
    """Makes the choice of a tile."""
    return _decide(action, name_tile(action.tile), "ghost", action.square, piece=piece_of(action.tile), turns=True)


# Extra tiles


def _offer_squares(position: Position) -> Offer:
    actions = position.actions()
    squares = dict.fromkeys(action.square for action in actions)
    what = f"choose where the extra tile goes ({_only_kind(actions) or 'any kind in stock'})"
    return _ask(position, what, [Choice(square, square, "square", (square,)) for square in squares])


def _offer_extra_tiles(position: Position, square: str) -> Offer:
    actions = [action for action in position.actions() if action.square == square]
    return _ask(position, _tell_tiles(actions), _lay_all(actions))


# Closings


def _offer_closings(position: Position) -> Offer:
    actions = position.actions()
    numbers = Counter(action.aqueduct[1:] for action in actions)
    choices = [_close(position, action, numbers[action.aqueduct[1:]] == 1) for action in actions]
    return _ask(position, "close an aqueduct, or none", choices)


def _close(position: Position, action: Action, only: bool) -> Choice:
    """Makes the choice of a closing; its number is its key if it is the only one with that number."""
    name = action.aqueduct
    if name == "-":
        return _decide(action, "Close none", "button", key="0", safe=True)
    podium = _find(position.act(action), name).podium
    gain = f"podium {podium}" if podium else "no podium left"
    label = f"close {name}: length {_find(position, name).length}, {gain}"
    return _decide(
        action, label, "ring", f"workman={name}", note=f"→{podium}", named=True, key=name[1:] if only else ""
    )


# Walks


def walk(before: Position, after: Position) -> Walk | None:
    """Follows the builder that an action moved, clockwise past the fountains; none if it moved no builder."""
    left = _find_left(before, after)
    if left is None:
        return None
    reached = next((path for path in after.builders if path not in before.builders), left)
    circle = _list_circle(before.layout)
    start = circle.index(left)
    ahead = [*circle[start + 1 :], *circle[: start + 1]]
    return Walk(f"builder={reached}", (left, *ahead[: ahead.index(reached) + 1]))


def _find_left(before: Position, after: Position) -> str | None:
    """Finds the path square that a builder left, be it to walk all the way round to it."""
    for path in before.builders:
        if path not in after.builders:
            return path
    used = [action for action in before.actions() if action.what in ("build", "advance")]
    return next((action.path for action in used if before.act(action) == after), None)


def _list_circle(layout: Layout) -> list[str]:
    """Lists the path squares clockwise, with the fountains between them."""
    made = []
    for side, corner in _CORNERS.items():
        made += [name for name in layout.path_names if name[0] == side]
        made.append(corner)
    return made
