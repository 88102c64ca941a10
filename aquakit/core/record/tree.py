"""The tree of turns that a record keeps. It can be as deep as it likes: every walk is a loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from aquakit.core.position import AnyPosition, BaseTurn
from aquakit.core.record.headers import check_text
from aquakit.errors import InvalidRecord


class Node:
    """A turn of a record and the position after it, or the start.

    Its children are the turns known to follow; the first is the main continuation, the others are variations.

    >>> import aquakit
    >>> record = aquakit.Record(aquakit.start("romana2-5x4"))
    >>> first = record.root.play("b3=+@E4")
    >>> first.number, str(first.turn), first.position.player, first.parent is record.root, first.path
    (1, 'b3=+@E4 x-', 2, True, (0,))
    >>> first.comment = "Two ways are open."
    >>> record.root.play("b3=L@Nb").comment, record.root.children
    ('', (<Node: 1. b3=+@E4 x->, <Node: 1. b3=L@Nb x->))
    """

    __slots__ = ("_children", "_comment", "_parent", "number", "position", "turn")

    def __init__(self, position: AnyPosition, turn: BaseTurn[Any] | None = None, parent: Node | None = None) -> None:
        """Begins a tree; `play` makes the other nodes."""
        self.position: Final = position
        """The position after the turn: the start of the next one, or a finished game."""
        self.turn: Final = turn
        """The turn with all its actions; none at the root."""
        self.number: Final[int] = 0 if parent is None else parent.number + 1
        """The turn's number: 0 at the root."""
        self._parent = parent
        self._children: dict[Any, Node] = {}
        self._comment = ""

    def __repr__(self) -> str:
        return "<Node: start>" if self.turn is None else f"<Node: {self.number}. {self.turn}>"

    # Reading

    @property
    def parent(self) -> Node | None:
        """The node before; none at the root."""
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes after it, the main continuation first."""
        return tuple(self._children.values())

    @property
    def path(self) -> tuple[int, ...]:
        """The places among their siblings of the nodes from the root to this one."""
        line = self.line()
        return tuple(node.children.index(child) for node, child in pairwise(line))

    def line(self) -> list[Node]:
        """Lists the nodes from the root to this one.

        >>> import aquakit
        >>> node = aquakit.Record(aquakit.start("romana2-5x4")).root.play("b3=+@E4").play("d2=7@Sd")
        >>> [str(each.turn) for each in node.line()[1:]]
        ['b3=+@E4 x-', 'd2=7@Sd x-']
        """
        nodes = [self]
        while (before := nodes[-1]._parent) is not None:
            nodes.append(before)
        return nodes[::-1]

    def main(self) -> list[Node]:
        """Lists this node and those after it along main continuations.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> node = root.play("b3=+@E4").play("d2=7@Sd")
        >>> root.main()[-1] is node
        True
        """
        nodes = [self]
        while nodes[-1]._children:
            nodes.append(next(iter(nodes[-1]._children.values())))
        return nodes

    def rows(self) -> Iterator[tuple[Node, int]]:
        """Iterates over the subtree as it is written, each node with its depth in variations.

        The variations on a turn stand after it and before the next turn.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4").play("d2=7@Sd"), root.play("b3=L@Nb")
        >>> [(each.number, depth) for each, depth in root.rows()]
        [(0, 0), (1, 0), (1, 1), (2, 0)]
        """
        waiting: list[tuple[tuple[Node, ...], int]] = [((self,), 0)]
        while waiting:
            (node, *variations), depth = waiting.pop()
            yield node, depth
            if node._children:
                waiting.append((node.children, depth))
            waiting.extend(((variation,), depth + 1) for variation in reversed(variations))

    def walk(self) -> Iterator[Node]:
        """Iterates over the subtree as it is written.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb")
        >>> list(root.walk()) == [root, node, variation]
        True
        """
        return (node for node, _ in self.rows())

    # Changing

    @property
    def comment(self) -> str:
        """What is said about the turn, or about the start; may have several lines."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._comment = check_text("comment", text)

    def play(self, turn: Iterable[Any] | str) -> Node:
        """Gets the node after a turn; if it is not known yet it becomes the last variation.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> root.play("b3=+@E4") is root.play("b3=+@E4 x-")
        True
        """
        made, position = self.position.carry_out(turn)
        if made not in self._children:
            self._children[made] = Node(position, made, self)
        return self._children[made]

    def promote(self) -> None:
        """Moves this node one place up among its siblings; the first one stays.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb")
        >>> variation.promote()
        >>> root.children[0] is variation
        True
        """
        parent = self._known_parent()
        self._move_to(max(0, parent.children.index(self) - 1))

    def promote_to_main(self) -> None:
        """Makes the line to this node the main line.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> node, variation = root.play("b3=+@E4"), root.play("b3=L@Nb").play("d2=7@Sd")
        >>> variation.promote_to_main()
        >>> root.main()[-1] is variation
        True
        """
        for node in self.line()[1:]:
            node._move_to(0)

    def delete(self) -> None:
        """Removes this node and all that follows it.

        >>> import aquakit
        >>> root = aquakit.Record(aquakit.start("romana2-5x4")).root
        >>> root.play("b3=+@E4").delete()
        >>> root.children
        ()
        """
        del self._known_parent()._children[self.turn]
        self._parent = None

    def _move_to(self, place: int) -> None:
        parent = self._known_parent()
        siblings = [node for node in parent.children if node is not self]
        siblings.insert(place, self)
        parent._children = {node.turn: node for node in siblings}

    def _known_parent(self) -> Node:
        if self._parent is None:
            raise InvalidRecord("node", "is the first of its tree", "a node after a turn")
        return self._parent
