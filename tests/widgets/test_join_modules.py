"""The widgets' modules are joined into one that runs by itself, and none of them makes markup or code of a text."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest
from javascript import node

from aquakit import Board, Explorer
from aquakit.widgets import modules
from aquakit.widgets.exercise import ExerciseBoard
from aquakit.widgets.modules import STATIC, join_modules
from aquakit.widgets.trainer import Trainer

ENTRIES = ("board_view.js", "exercise.js", "explorer.js", "trainer.js")
SOURCES = sorted(STATIC.rglob("*.js"))

every_entry = pytest.mark.parametrize("entry", ENTRIES)
every_source = pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)


def declared(text: str) -> list[str]:
    """Lists the names that a module declares at its top level."""
    found = []
    for line in re.findall(r"^(?:export )?(?:async )?(?:const|let|var|class|function\*?) +(.*)", text, re.MULTILINE):
        pattern = re.match(r"[{\[](.*?)[}\]]\s*=", line)
        found += re.findall(r"(\w+)\s*(?:,|$)", pattern[1]) if pattern else re.findall(r"^\w+", line)
    return found


def needed(entry: str) -> set[str]:
    """Finds all files that a module needs, itself included."""
    found, waiting = set(), [entry]
    while waiting:
        file = waiting.pop()
        found.add(file)
        text = (STATIC / file).read_text("utf-8") if file.endswith(".js") else ""
        waiting += {normpath(join(dirname(file), path)) for path in re.findall(r'from\s+"([^"]+)"', text)} - found
    return found


@every_entry
def test_nothing_is_imported_any_more(entry: str) -> None:
    joined = join_modules(entry)
    assert re.findall(r"^[ \t]*import\b.*", joined, re.MULTILINE) == []
    assert not re.search(r"""\bimport\s*\(|\bfrom\s+["']""", joined)


@every_source
def test_what_is_imported_is_exported_there_under_the_same_name(source: Path) -> None:
    for names, file in re.findall(r'^import \{([^}]*)\} from "([\w./]+)";$', source.read_text("utf-8"), re.MULTILINE):
        wanted = {name.strip() for name in names.split(",")} - {""}
        exported = re.findall(
            r"^export (?:const|function) (\w+)", (source.parent / file).read_text("utf-8"), re.MULTILINE
        )
        assert wanted <= set(exported), file


@every_entry
def test_only_the_widget_is_exported(entry: str) -> None:
    exports = re.findall(r"^[ \t]*export\b.*", join_modules(entry), re.MULTILINE)
    assert len(exports) == 1
    assert exports[0].startswith("export default {")


@every_entry
def test_no_name_is_declared_twice(entry: str) -> None:
    names = declared(join_modules(entry))
    assert {"toBox", "mountBoard", "STYLE", "DIRECTIONS"} <= set(names)
    assert [name for name, count in Counter(names).items() if count > 1] == []


@every_entry
def test_everything_needed_is_there_once_and_before_it_is_needed(entry: str) -> None:
    joined, files = join_modules(entry), needed(entry)
    assert {"board.js", "geometry.js", "dom.js", "theme.js", "board.css"} <= files
    places = {}
    for file in files:
        text = (STATIC / file).read_text("utf-8")
        part = json.dumps(text) if file.endswith(".css") else text.splitlines()[0]
        assert joined.count(part) == 1, file
        places[file] = joined.index(part)
    assert max(places, key=lambda file: places[file]) == entry
    assert places["geometry.js"] < places["board.js"]
    assert places["board.css"] < places["board.js"]


def test_all_files_are_used() -> None:
    files = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()}
    assert files == set().union(*map(needed, ENTRIES))


@every_entry
def test_styles_are_texts_of_the_module(entry: str) -> None:
    joined = join_modules(entry)
    for file in (file for file in needed(entry) if file.endswith(".css")):
        style = json.dumps((STATIC / file).read_text("utf-8"))
        assert re.search(rf"^const \w+ = {re.escape(style)};$", joined, re.MULTILINE), file


@every_entry
def test_the_joined_module_can_be_read(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(join_modules(entry), "utf-8")
    done = subprocess.run([node(), "--check", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_widgets_send_the_joined_modules() -> None:
    assert str(Board._esm) == join_modules("board_view.js")
    assert str(Explorer._esm) == join_modules("explorer.js")
    assert str(Trainer._esm) == join_modules("trainer.js")
    assert str(ExerciseBoard._esm) == join_modules("exercise.js")


def test_a_module_needed_twice_is_there_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "a.js": 'import { b } from "./b.js";\nimport {\n  c,\n} from "./c.js";\nexport default { b, c };\n',
        "b.js": 'import { d } from "./d.js";\nimport LOOK from "./b.css";\nexport const b = () => d + LOOK;\n',
        "c.js": 'import { d } from "./d.js";\nexport function c() {\n  return d; // export, import nothing\n}\n',
        "d.js": "export const d = 1;\n",
        "b.css": '.b { content: "\\201c</style>"; }\n',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(modules, "STATIC", tmp_path)
    assert join_modules("a.js").splitlines() == [
        "const d = 1;",
        "",
        'const LOOK = ".b { content: \\"\\\\201c</style>\\"; }\\n";',
        "const b = () => d + LOOK;",
        "",
        "function c() {",
        "  return d; // export, import nothing",
        "}",
        "",
        "export default { b, c };",
    ]
    (tmp_path / "d.js").unlink()
    with pytest.raises(FileNotFoundError):
        join_modules("a.js")


FORBIDDEN = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "new Function",
    "srcdoc",
    "createContextualFragment",
    "setHTMLUnsafe",
    "javascript:",
)


@every_source
def test_no_text_becomes_markup_or_code(source: Path) -> None:
    text = source.read_text("utf-8")
    assert [word for word in FORBIDDEN if word in text] == []
    assert "text/html" not in re.findall(r'parseFromString\([^;]*"([\w/+]+)"\)', text)


@pytest.mark.parametrize(
    "source", sorted([path for path in STATIC.rglob("*") if path.is_file()]), ids=lambda path: path.name
)
def test_nothing_is_loaded_from_elsewhere(source: Path) -> None:
    text = source.read_text("utf-8")
    assert set(re.findall(r"https?://[^\s\"')]+", text)) <= {"http://www.w3.org/2000/svg"}
    assert not re.search(r"@import|url\(|\bfetch\(|XMLHttpRequest|WebSocket|importScripts", text)
