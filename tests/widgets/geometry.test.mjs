// Where things go on a board, and what lies in which direction.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";

// The file is a module without a package that says so, which not every Node takes for one.
const source = await readFile(new URL("../../aquakit/widgets/static/geometry.js", import.meta.url), "utf8");
const geometry = await import(`data:text/javascript,${encodeURIComponent(source)}`);
const { around, arrange, beside, corner, fan, fit, hit, nearest, overlap, reach, step, toBox, walkFrames } = geometry;

const square = (x, y, size = 10) => ({ x, y, width: size, height: size });
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);
const edges = ({ x, y, width, height }) => [x - width / 2, x + width / 2, y - height / 2, y + height / 2];

function within(box, { x, y, width, height }) {
  const [left, right, top, bottom] = edges(box);
  assert.ok(left >= x && right <= x + width && top >= y && bottom <= y + height, JSON.stringify(box));
}

test("every function is tried here", () => {
  assert.deepEqual(Object.keys(geometry).sort(), ["around", "arrange", "beside", "corner", "fan", "fit", "hit", "nearest", "overlap", "reach", "step", "toBox", "walkFrames"]);
});

test("a place's four numbers are its middle and its size", () => {
  assert.deepEqual(toBox([200, 152, 48, 44]), { x: 200, y: 152, width: 48, height: 44 });
});

describe("arrange", () => {
  const views = [{ place: "below", width: 700, height: 750 }, { place: "beside", width: 1000, height: 550 }];

  test("a wide and low room has the panel beside the board, a narrow and high one below it", () => {
    assert.equal(arrange(views, { width: 930, height: 560 }, 2).place, "beside");
    assert.equal(arrange(views, { width: 600, height: 900 }, 2).place, "below");
  });

  test("all of it fits into the room", () => {
    for (const room of [{ width: 930, height: 560 }, { width: 300, height: 2000 }, { width: 4000, height: 300 }]) {
      const { place, scale } = arrange(views, room, 9);
      const { width, height } = views.find((view) => view.place === place);
      assert.ok(width * scale <= room.width + 1e-9 && height * scale <= room.height + 1e-9);
    }
  });

  test("it is not made larger than is comfortable", () => {
    near(arrange(views, { width: 9000, height: 9000 }, 1.4).scale, 1.4);
  });
});

describe("around", () => {
  test("a single box is its own", () => {
    assert.deepEqual(around([square(5, 7)]), square(5, 7));
  });
  test("several boxes are all inside, and touch it", () => {
    const boxes = [square(0, 0), { x: 30, y: -4, width: 4, height: 20 }, square(8, 40, 2)];
    const box = around(boxes);
    assert.deepEqual(edges(box), [-5, 32, -14, 41]);
    for (const each of boxes) within(each, { x: -5, y: -14, width: 37, height: 55 });
  });
  test("the order makes no difference", () => {
    const boxes = [square(3, 9), square(-20, 1), square(4, 4, 30)];
    assert.deepEqual(around(boxes), around([...boxes].reverse()));
  });
});

describe("nearest", () => {
  const cross = [square(0, -10), square(10, 0), square(0, 10), square(-10, 0)];
  test("an arrow key goes its way", () => {
    const keys = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
    keys.forEach((key, i) => assert.equal(nearest(cross, { x: 0, y: 0 }, key), i));
  });
  test("what lies behind or beside is not gone to", () => {
    assert.equal(nearest([square(-10, 0), square(0, 10), square(0, -10)], { x: 0, y: 0 }, "ArrowRight"), -1);
    assert.equal(nearest([], { x: 0, y: 0 }, "ArrowRight"), -1);
  });
  test("one does not stay where one is", () => {
    assert.equal(nearest([square(0, 0), square(0.4, 0)], { x: 0, y: 0 }, "ArrowRight"), -1);
  });
  test("of two ahead the nearer one is gone to, and of two equal ones the first", () => {
    assert.equal(nearest([square(30, 0), square(20, 0)], { x: 0, y: 0 }, "ArrowRight"), 1);
    assert.equal(nearest([square(20, 5), square(20, -5)], { x: 0, y: 0 }, "ArrowRight"), 0);
  });
  test("straight ahead counts for more than near", () => {
    assert.equal(nearest([square(10, 20), square(40, 0)], { x: 0, y: 0 }, "ArrowRight"), 1);
    assert.equal(nearest([square(10, 5), square(40, 0)], { x: 0, y: 0 }, "ArrowRight"), 0);
  });
  test("from any square of a board all four keys lead to its neighbours, and back", () => {
    const board = Array.from({ length: 35 }, (_, i) => square(48 * (i % 7), 48 * Math.floor(i / 7), 48));
    board.forEach((from, i) => {
      const right = nearest(board, from, "ArrowRight");
      const down = nearest(board, from, "ArrowDown");
      assert.equal(right, i % 7 < 6 ? i + 1 : -1);
      assert.equal(down, i < 28 ? i + 7 : -1);
      if (right >= 0) assert.equal(nearest(board, board[right], "ArrowLeft"), i);
      if (down >= 0) assert.equal(nearest(board, board[down], "ArrowUp"), i);
    });
  });
});

describe("fit", () => {
  test("with room enough an interval has its middle where it should", () => {
    assert.equal(fit(50, 20, 0, 100), 40);
  });
  test("at an end it is moved inside", () => {
    assert.equal(fit(5, 20, 0, 100), 0);
    assert.equal(fit(98, 20, 0, 100), 80);
    assert.equal(fit(5, 20, 8, 100), 8);
  });
  test("one that is too long begins where there is room", () => {
    assert.equal(fit(50, 200, 4, 100), 4);
  });
});

describe("fan", () => {
  const bounds = { x: 4, y: 4, width: 400, height: 300 };
  test("pieces stand in a row with gaps between them, inside their frame", () => {
    const { frame, boxes } = fan(square(200, 100, 48), 3, 46, 6, bounds);
    assert.deepEqual([frame.width, frame.height], [3 * 46 + 4 * 6, 46 + 12]);
    assert.equal(frame.x, 200);
    assert.deepEqual(boxes.map(({ x }) => x), [148, 200, 252]);
    const [left, right, top, bottom] = edges(frame);
    for (const box of boxes) {
      assert.deepEqual([box.width, box.height, box.y], [46, 46, frame.y]);
      within(box, { x: left + 6, y: top + 6, width: right - left - 12, height: bottom - top - 12 });
    }
  });
  test("the row is below what lies in the upper half and above what lies in the lower", () => {
    const upper = fan(square(200, 100, 48), 3, 46, 6, bounds).frame;
    const lower = fan(square(200, 250, 48), 3, 46, 6, bounds).frame;
    assert.equal(edges(upper)[2], 100 + 24 + 6);
    assert.equal(edges(lower)[3], 250 - 24 - 6);
  });
  test("wherever the place lies, the row stays within the bounds and off the place", () => {
    for (let x = 28; x <= 380; x += 16) {
      for (let y = 28; y <= 280; y += 12) {
        const { frame } = fan(square(x, y, 48), 5, 46, 6, bounds);
        within(frame, bounds);
        const [, , top, bottom] = edges(frame);
        assert.ok(top >= y + 24 || bottom <= y - 24);
      }
    }
  });
  test("a row without pieces has no boxes", () => {
    assert.deepEqual(fan(square(200, 100), 0, 46, 6, bounds).boxes, []);
  });
});

describe("reach", () => {
  test("a line begins in the middle and stops at the edge", () => {
    assert.deepEqual(reach(square(0, 0), square(100, 0, 20)), [{ x: 0, y: 0 }, { x: 90, y: 0 }]);
    assert.deepEqual(reach(square(0, 0), square(0, -100, 20)), [{ x: 0, y: 0 }, { x: 0, y: -90 }]);
  });
  test("a slanting line stops at the side that it meets first", () => {
    const [, end] = reach(square(0, 0), { x: 100, y: 50, width: 20, height: 60 });
    near(end.x, 90);
    near(end.y, 45);
    const [, low] = reach(square(0, 0), { x: 50, y: 100, width: 60, height: 20 });
    near(low.x, 45);
    near(low.y, 90);
  });
  test("every line ends on the edge of what it reaches", () => {
    const to = { x: 7, y: -3, width: 44, height: 48 };
    for (let angle = 0; angle < 360; angle += 15) {
      const from = square(to.x + 200 * Math.cos((angle * Math.PI) / 180), to.y + 200 * Math.sin((angle * Math.PI) / 180));
      const [start, end] = reach(from, to);
      assert.deepEqual(start, { x: from.x, y: from.y });
      near(Math.max(Math.abs(end.x - to.x) / 22, Math.abs(end.y - to.y) / 24), 1);
    }
  });
  test("from inside, or from its very middle, no line is drawn", () => {
    assert.deepEqual(reach(square(2, 0), square(0, 0, 20))[1], { x: 2, y: 0 });
    assert.deepEqual(reach(square(3, 4), square(3, 4, 20)), [{ x: 3, y: 4 }, { x: 3, y: 4 }]);
  });
});

describe("beside", () => {
  const bounds = { width: 400, height: 300 };
  const card = { width: 120, height: 80 };
  test("a card stands on the right, level with its box", () => {
    assert.deepEqual(beside(square(100, 150, 40), card, bounds, 8), { x: 128, y: 110 });
  });
  test("without room on the right it stands on the left", () => {
    assert.deepEqual(beside(square(350, 150, 40), card, bounds, 8), { x: 350 - 20 - 8 - 120, y: 110 });
  });
  test("at the rim it is moved inside", () => {
    assert.equal(beside(square(100, 10, 20), card, bounds, 8).y, 0);
    assert.equal(beside(square(100, 290, 20), card, bounds, 8).y, 220);
  });
  test("wherever its box lies, it stays within the bounds", () => {
    for (let x = 0; x <= 400; x += 25) {
      for (let y = 0; y <= 300; y += 25) {
        const corner = beside(square(x, y, 48), card, bounds, 8);
        assert.ok(corner.x >= 0 && corner.x + card.width <= bounds.width);
        assert.ok(corner.y >= 0 && corner.y + card.height <= bounds.height);
      }
    }
  });
  test("it gives way to others, and stays as near as it can", () => {
    const box = square(100, 150, 40);
    const [x, y] = [188, 150]; // the middle of where it would stand
    const spot = beside(box, card, bounds, 8, [square(x, y, 20)]);
    const middle = { ...card, x: spot.x + 60, y: spot.y + 40 };
    assert.equal(overlap(middle, square(x, y, 20)), 0);
    assert.equal(overlap(middle, box), 0);
    assert.ok(Math.hypot(middle.x - x, middle.y - y) < 90);
    assert.deepEqual(beside(box, card, bounds, 8, [square(40, 40, 20)]), { x: 128, y: 110 });
  });
  test("wherever there is room it covers none of the others", () => {
    const others = [];
    for (let x = 0; x <= 400; x += 40) for (let y = 0; y <= 180; y += 40) others.push(square(x, y, 30));
    for (const box of others) {
      const spot = beside(box, card, bounds, 8, others);
      const covers = others.map((other) => overlap({ ...card, x: spot.x + 60, y: spot.y + 40 }, other));
      assert.equal(Math.max(...covers), 0);
      assert.ok(spot.y + card.height <= bounds.height);
    }
  });
  test("where there is none it covers the least of them", () => {
    const others = [{ x: 200, y: 150, width: 400, height: 300 }, square(350, 250, 60)];
    const spot = beside(square(100, 150, 40), card, bounds, 8, others);
    assert.equal(overlap({ ...card, x: spot.x + 60, y: spot.y + 40 }, others[1]), 0);
  });
  test("one that is too large begins in the corner", () => {
    assert.deepEqual(beside(square(200, 150), { width: 500, height: 400 }, bounds, 8), { x: 0, y: 0 });
  });
});

describe("overlap", () => {
  test("boxes apart, or side by side, share nothing", () => {
    assert.equal(overlap(square(0, 0), square(30, 0)), 0);
    assert.equal(overlap(square(0, 0), square(10, 0)), 0);
    assert.equal(overlap(square(0, 0), square(4, 11)), 0);
  });
  test("what two boxes share is the same from both", () => {
    const [a, b] = [square(0, 0), { x: 7, y: -4, width: 6, height: 20 }];
    assert.equal(overlap(a, b), 1 * 10);
    assert.equal(overlap(b, a), 1 * 10);
  });
  test("a box inside another is shared whole", () => {
    assert.equal(overlap(square(0, 0, 40), square(6, -9)), 100);
  });
});

describe("corner", () => {
  const tag = { width: 20, height: 14 };
  const [left, right, top, bottom] = [88, 112, 85, 115];
  test("without others a tag stands on the left above", () => {
    assert.deepEqual(corner(square(100, 100, 44), tag, []), { ...tag, x: left, y: top });
  });
  test("it gives way to what stands there, and to nothing else", () => {
    assert.deepEqual(corner(square(100, 100, 44), tag, [square(84, 80)]), { ...tag, x: right, y: top });
    assert.deepEqual(corner(square(100, 100, 44), tag, [square(100, 78, 30)]), { ...tag, x: left, y: bottom });
    assert.deepEqual(corner(square(100, 100, 44), tag, [square(78, 100, 40)]), { ...tag, x: right, y: top });
    assert.deepEqual(corner(square(100, 100, 44), tag, [square(300, 300)]), { ...tag, x: left, y: top });
  });
  test("where all corners are taken it covers the least", () => {
    const others = [square(80, 80, 20), square(120, 80, 20), square(80, 120, 14), square(120, 120, 20)];
    assert.deepEqual(corner(square(100, 100, 44), tag, others), { ...tag, x: left, y: bottom });
  });
});

describe("walkFrames", () => {
  test("a walk ends without a shift and begins where it began", () => {
    const frames = walkFrames([square(0, 0), square(30, 0), square(30, 10)]);
    assert.deepEqual(frames, [
      { x: -30, y: -10, offset: 0, way: 0 },
      { x: 0, y: -10, offset: 0.75, way: 30 },
      { x: 0, y: 0, offset: 1, way: 40 },
    ]);
  });
  test("a walk all the way round ends where it began and still has its length", () => {
    const frames = walkFrames([square(0, 0), square(10, 0), square(10, 10), square(0, 10), square(0, 0)]);
    assert.deepEqual(frames.map(({ offset }) => offset), [0, 0.25, 0.5, 0.75, 1]);
    assert.equal(frames.at(-1).way, 40);
    assert.deepEqual([frames[0].x, frames[0].y], [0, 0]);
  });
  test("offsets never go back, and lie between 0 and 1", () => {
    const points = Array.from({ length: 20 }, (_, i) => square((i * 37) % 50, (i * 53) % 70));
    const offsets = walkFrames(points).map(({ offset }) => offset);
    assert.deepEqual(offsets, [...offsets].sort((a, b) => a - b));
    assert.deepEqual([offsets[0], offsets.at(-1)], [0, 1]);
  });
  test("who stays takes no time", () => {
    assert.deepEqual(walkFrames([square(5, 5)]), [{ x: 0, y: 0, offset: 0, way: 0 }]);
    assert.deepEqual(walkFrames([square(5, 5), square(5, 5)]).map(({ way }) => way), [0, 0]);
  });
});

test("steps in a ring come round, both ways", () => {
  assert.equal(step(0, 1, 3), 1);
  assert.equal(step(2, 1, 3), 0);
  assert.equal(step(0, -1, 3), 2);
  assert.equal(step(1, -8, 3), 2);
  assert.equal(step(0, 5, 1), 0);
  for (let i = 0; i < 5; i++) assert.equal(step(step(i, 7, 5), -7, 5), i);
});

describe("hit", () => {
  const places = [square(20, 20, 40), square(60, 20, 40), { x: 40, y: 20, width: 10, height: 30 }];

  test("a point is in the box around it, on an edge in the one whose middle it is nearest to", () => {
    assert.equal(hit(places, { x: 10, y: 10 }), 0);
    assert.equal(hit(places, { x: 70, y: 30 }), 1);
    assert.equal(hit([square(0, 0), square(6, 0)], { x: 2, y: 0 }), 0);
    assert.equal(hit([square(0, 0), square(6, 0)], { x: 4, y: 0 }), 1);
  });

  test("a small box over a large one is meant in its own middle, and leaves the large one its middle", () => {
    const tile = square(20, 20, 40);
    const workman = { x: 32, y: 20, width: 26, height: 20 };
    assert.equal(hit([tile, workman], { x: 32, y: 20 }), 1);
    assert.equal(hit([tile, workman], { x: 21, y: 20 }), 0);
    assert.equal(hit(places, { x: 41, y: 20 }), 2);
  });

  test("beside all boxes there is none, unless the slack reaches one", () => {
    assert.equal(hit(places, { x: 90, y: 20 }), -1);
    assert.equal(hit(places, { x: 90, y: 20 }, 10), 1);
    assert.equal(hit([], { x: 0, y: 0 }), -1);
  });
});
