"""Closure timing as a CP-SAT model, one constraint to a builder.

One schedule of orders serves all scenarios. In each scenario every order, every closing by construction and the scoring
at the end is an event with a known length at a known moment; the model says which events happen and which podium each
takes. A lower podium is allowed only if all between it and the length are full by then (section 5, step 7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import Any, TypeVar

from aquakit.planning.cpsat import load
from aquakit.romana.planner.timing.replay import Scenario, TimingCase

Order = tuple[int, int]
"""An aqueduct and the round in which it is to be closed."""
Wanted = Callable[[], bool]
"""Tells whether there is time left for an answer."""
Item = TypeVar("Item")
WORST, EXPECTED = "worst", "expected"
HEAVIEST = 10**9
"""The most that all weights together may come to, as whole numbers."""


class TooBig(Exception):
    """A search exceeds its limit of work, or no time is left."""


@dataclass(frozen=True)
class Event:
    """Something that may send a workman to a podium."""

    aqueduct: int
    moment: tuple[int, int, int]
    """Turn, then the owner's and the aqueduct's place in the order of scoring (step 7)."""
    podium: int
    """What its length is worth: podiums are tried from here downwards; 0 for none."""
    order: int | None = None
    """The round of the order that it carries out; none for what happens to an aqueduct that was not closed."""


class Future:
    """A scenario in the model: its events, whether they happen, and the podiums they take."""

    def __init__(self, case: TimingCase, scenario: Scenario) -> None:
        self.case, self.scenario = case, scenario
        self.rivals = dict(_settle_rivals(case, scenario))
        """The turn in which each rival's aqueduct is closed; the number of turns if it is left open."""
        self.events: list[Event] = sorted(_list_events(self), key=lambda event: event.moment)
        self.happens: dict[Event, Any] = {}
        """0, 1, a variable or a sum: whether an event happens."""
        self.takes: dict[Event, dict[int, Any]] = {}
        """For each podium in reach, whether the event's workman takes it; 0 stands for none."""
        self.filled: dict[Event, dict[int, Any]] = {}
        """How many workmen have come to each podium before an event."""

    def value(self) -> Any:
        """Gets the player's points as a sum of variables."""
        mine = [event for event in self.takes if event.aqueduct in self.case.mine]
        return sum(podium * taken for event in mine for podium, taken in self.takes[event].items())


class TimingModel:
    """The whole model of a case."""

    def __init__(self, case: TimingCase, wanted: Wanted = lambda: True) -> None:
        self.case = case
        self.cp: Any = load().CpModel()
        self.futures = [Future(case, scenario) for scenario in _while(wanted, case.scenarios)]
        self.orders: dict[Order, Any] = {
            order: self.cp.new_bool_var(f"order {case.name(order[0])} {order[1]}") for order in _list_orders(self)
        }


def build(case: TimingCase, aim: str = EXPECTED, wanted: Wanted = lambda: True) -> TimingModel:
    """Builds the model with every constraint and the aim; raises TooBig where it is not wanted any more."""
    model = TimingModel(case, wanted)
    order_each_once(model)
    order_one_a_turn(model)
    for future in _while(wanted, model.futures):
        carry_out_orders(model, future)
        take_one_podium(model, future)
        count_the_filled(model, future)
        drop_only_past_full(model, future)
    carry_out_each_somewhere(model)
    maximise(model, aim)
    return model


def _while(wanted: Wanted, items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if not wanted():
            raise TooBig
        yield item


def pinned(model: TimingModel, pin: Order | None) -> Any:
    """Gets the model in which an aqueduct is closed in a given round, or never for round 0; none if that cannot be."""
    if pin is None:
        return model.cp
    a, number = pin
    if number and pin not in model.orders:
        return None
    cp = model.cp.clone()
    for (b, k), order in model.orders.items():
        if b == a:
            cp.add(cp.get_bool_var_from_proto_index(order.index) == int(k == number))
    return cp


# What is known beforehand


def _settle_rivals(case: TimingCase, scenario: Scenario) -> Iterator[tuple[int, int]]:
    """Finds the turn in which each rival's aqueduct is closed, orders that lapse left out."""
    at = {a: _ends(case, scenario, a) for a in scenario.courses if a not in case.mine}
    for a, number in sorted(scenario.closings.items(), key=lambda order: order[1]):
        turn = case.turn(number, case.owner(a))
        # Step 6: none in a turn in which an own aqueduct was closed by construction.
        barred = any(at[b] == turn for b in at if case.owner(b) == case.owner(a))
        if scenario.courses[a].lengths[number - 1] > 0 and turn < at[a] and turn <= scenario.last and not barred:
            at[a] = turn
    yield from at.items()


def _ends(case: TimingCase, scenario: Scenario, a: int) -> int:
    """Gets the turn in which an aqueduct is closed if nobody closes it; the number of turns if all is scored then."""
    turn = scenario.courses[a].ends
    return case.turns if turn is None or turn > scenario.last else turn


def _last_mover(future: Future) -> int:
    """Finds whose turn ends last, as it is if the player still has a workman then; otherwise it does not matter."""
    case = future.case
    for turn in range(future.scenario.last, 0, -1):
        player = case.mover(turn)
        if player == case.me or any(case.owner(a) == player and at >= turn for a, at in future.rivals.items()):
            return player
    return case.order[0]


def _list_events(future: Future) -> Iterator[Event]:
    """Lists all that can happen, apart from what comes after the player's last workman is scored."""
    case, last = future.case, _last_mover(future)
    for a in future.scenario.courses:
        if a in case.mine:
            yield from (_event(future, a, case.turn(k, case.me), k, last) for k in _rounds_to_close(future, a))
            turn = _ends(case, future.scenario, a)
        else:
            turn = future.rivals[a]
        at_the_end = turn == case.turns
        if not (at_the_end and (case.closed_only or (case.state.solo and a not in case.mine))):
            yield _event(future, a, turn, None, last)


def _event(future: Future, a: int, turn: int, order: int | None, last: int) -> Event:
    case, course = future.case, future.scenario.courses[a]
    mover = last if turn == case.turns else case.mover(turn)
    if order is not None:
        length = course.lengths[order - 1]
    elif a not in case.mine and turn != _ends(case, future.scenario, a):
        length = course.lengths[case.round_of(turn) - 1]
    else:
        length = course.final
    place = (case.owner(a) - mover) % len(case.layout.players)
    return Event(a, (turn, place, a), min(length, case.layout.tables.podiums), order)


def _rounds_to_close(future: Future, a: int) -> Iterator[int]:
    """Lists the rounds in which a scenario lets the player close an aqueduct, apart from step 6 [R9]."""
    case, course = future.case, future.scenario.courses[a]
    for number in range(1, case.rounds + 1):
        turn = case.turn(number, case.me)
        if course.lengths[number - 1] > 0 and turn < _ends(case, future.scenario, a) and turn <= future.scenario.last:
            yield number


def _list_orders(model: TimingModel) -> list[Order]:
    """Lists the orders that make sense in some scenario."""
    events = (event for future in model.futures for event in future.events if event.order is not None)
    return sorted({(event.aqueduct, event.order or 0) for event in events})


# Constraints


def order_each_once(model: TimingModel) -> None:
    """Lets each aqueduct be closed once at most."""
    for a in model.case.mine:
        model.cp.add_at_most_one(order for (b, _), order in model.orders.items() if b == a)


def order_one_a_turn(model: TimingModel) -> None:
    """Lets the player close one aqueduct a turn at most (step 6)."""
    for number in range(1, model.case.rounds + 1):
        model.cp.add_at_most_one(order for (_, k), order in model.orders.items() if k == number)


def carry_out_orders(model: TimingModel, future: Future) -> None:
    """Says which events happen: orders, unless step 6 bars them, and for what is not closed so, the rest."""
    case, courses = model.case, future.scenario.courses
    done: dict[int, list[Any]] = {a: [] for a in courses}
    for event in (event for event in future.events if event.order is not None):
        a, number = event.aqueduct, event.order
        turn, order = event.moment[0], model.orders[a, number or 0]
        walled = [b for b in case.mine if b != a and courses[b].ends == turn]
        future.happens[event] = _unless_walled(model, order, [sum(done[b]) for b in walled]) if walled else order
        done[a].append(future.happens[event])
    for event in (event for event in future.events if event.order is None):
        future.happens[event] = 1 - sum(done[event.aqueduct])


def _unless_walled(model: TimingModel, order: Any, closed_before: list[Any]) -> Any:
    """Gets whether an order is carried out: only if all that would be walled in in this turn were closed before."""
    happens = model.cp.new_bool_var("")
    model.cp.add(happens <= order)
    for closed in closed_before:
        model.cp.add(happens <= closed)
    model.cp.add(happens >= order + sum(closed_before) - len(closed_before))
    return happens


def carry_out_each_somewhere(model: TimingModel) -> None:
    """Allows only orders that some scenario carries out."""
    for (a, number), order in model.orders.items():
        done = [f.happens[e] for f in model.futures for e in f.events if e.aqueduct == a and e.order == number]
        if not any(happens is order for happens in done):
            model.cp.add(order <= sum(done))


def take_one_podium(model: TimingModel, future: Future) -> None:
    """Gives each event that happens one podium in reach, or none at all."""
    room = model.case.state.room
    most = [set[int]() for _ in room]
    for event in future.events:
        takes = {podium: model.cp.new_bool_var("") for podium in _reach(event, room, most)}
        for podium in takes:
            most[podium].add(event.aqueduct)
        future.takes[event] = takes
        model.cp.add(sum(takes.values()) == future.happens[event])


def _reach(event: Event, room: Sequence[int], most: list[set[int]]) -> Iterator[int]:
    """Lists the podiums that an event can come to: down to the first that cannot be full by then."""
    for podium in range(event.podium, 0, -1):
        if room[podium] > 0:
            yield podium
            if len(most[podium] - {event.aqueduct}) < room[podium]:
                return
    yield 0


def count_the_filled(model: TimingModel, future: Future) -> None:
    """Counts the workmen on each podium from event to event, never more than it has room for."""
    room = model.case.state.room
    filled: dict[int, Any] = {}
    waiting: list[Event] = []
    for event in future.events:
        # Of the orders of one turn one is carried out at most, so none of them sees another.
        if waiting and not (event.order is not None and event.moment[0] == waiting[0].moment[0]):
            filled = filled | _count_more(model, future, filled, waiting, room)
            waiting = []
        future.filled[event] = filled
        if event.order is not None:
            waiting.append(event)
        else:
            filled = filled | _count_more(model, future, filled, [event], room)
    _count_more(model, future, filled, waiting, room)


def _count_more(
    model: TimingModel, future: Future, filled: Mapping[int, Any], events: list[Event], room: Sequence[int]
) -> dict[int, Any]:
    """Adds the podiums that some events take to the counts before them."""
    more: dict[int, list[Any]] = {}
    for event in events:
        for podium, taken in future.takes[event].items():
            if podium > 0:
                more.setdefault(podium, []).append(taken)
    counts = {podium: model.cp.new_int_var(0, room[podium], "") for podium in more}
    for podium, taken in more.items():
        model.cp.add(counts[podium] == filled.get(podium, 0) + sum(taken))
    return counts


def drop_only_past_full(model: TimingModel, future: Future) -> None:
    """Allows a podium only if all between it and the length are full by then (step 7)."""
    room = model.case.state.room
    for event, takes in future.takes.items():
        lower = list(takes.items())
        while len(lower) > 1:
            (podium, _), *lower = lower
            model.cp.add(room[podium] * sum(taken for _, taken in lower) <= future.filled[event].get(podium, 0))


# Aims


def scale_weights(case: TimingCase) -> list[int]:
    """Gets the scenarios' weights as whole numbers in the same proportion.

    With one scenario, or equal ones, each is 1.
    """
    weights = [scenario.weight for scenario in case.scenarios]
    whole = lcm(*(weight.denominator for weight in weights))
    scaled = [int(weight * whole) for weight in weights]
    shared = gcd(*scaled)
    return [number // shared for number in scaled]


def maximise(model: TimingModel, aim: str) -> None:
    """Sets the objective: the expected value, times the sum of the weights, or the value in the worst scenario."""
    model.cp.maximize(AIMS[aim](model))


def _expected_value(model: TimingModel) -> Any:
    return sum(w * future.value() for w, future in zip(scale_weights(model.case), model.futures, strict=True))


def _worst_case(model: TimingModel) -> Any:
    worst = model.cp.new_int_var(0, model.case.layout.tables.podiums * len(model.case.mine), "worst")
    for future in model.futures:
        model.cp.add(worst <= future.value())
    return worst


AIMS: dict[str, Callable[[TimingModel], Any]] = {EXPECTED: _expected_value, WORST: _worst_case}
