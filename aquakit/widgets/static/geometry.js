// Pure geometry of a board: where things go, and what lies in which direction. It touches no page and knows no game.

/** A box is { x, y, width, height } with its middle at x, y. */
export function toBox([x, y, width, height]) {
  return { x, y, width, height };
}

/** Gets the smallest box around some boxes. */
export function around(boxes) {
  const left = Math.min(...boxes.map((box) => box.x - box.width / 2));
  const right = Math.max(...boxes.map((box) => box.x + box.width / 2));
  const top = Math.min(...boxes.map((box) => box.y - box.height / 2));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height / 2));
  return { x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top };
}

const DIRECTIONS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

/** Finds the point that one would go to from another with an arrow key: near, and more ahead than aside. -1 for none. */
export function nearest(points, from, key) {
  const [dx, dy] = DIRECTIONS[key];
  let best = -1;
  let least = Infinity;
  points.forEach((point, i) => {
    const ahead = (point.x - from.x) * dx + (point.y - from.y) * dy;
    const aside = Math.abs((point.x - from.x) * dy) + Math.abs((point.y - from.y) * dx);
    const cost = ahead + 2 * aside;
    if (ahead > 0.5 && cost < least) [best, least] = [i, cost];
  });
  return best;
}

/** Gets the interval of a length that lies as near to a middle as the bounds allow, by its start. */
export function fit(middle, length, low, high) {
  return Math.max(low, Math.min(middle - length / 2, high - length));
}

/**
 * Lays pieces out in a row above or below a box, towards the middle of the bounds and within them.
 * Gets the frame around the row and the pieces' boxes.
 */
export function fan(box, count, size, gap, bounds) {
  const width = count * size + (count + 1) * gap;
  const height = size + 2 * gap;
  const left = fit(box.x, width, bounds.x, bounds.x + bounds.width);
  const down = box.y < bounds.y + bounds.height / 2;
  const y = box.y + (down ? 1 : -1) * (box.height / 2 + gap + height / 2);
  const boxes = Array.from({ length: count }, (_, i) => ({
    x: left + gap + i * (size + gap) + size / 2,
    y,
    width: size,
    height: size,
  }));
  return { frame: { x: left + width / 2, y, width, height }, boxes };
}

/** Gets the points of a line between the middles of two boxes that stops at the edge of the second. */
export function reach(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const back = Math.min(dx ? (to.width / 2) * (length / Math.abs(dx)) : Infinity, dy ? (to.height / 2) * (length / Math.abs(dy)) : Infinity);
  const part = Math.max(0, 1 - back / length);
  return [
    { x: from.x, y: from.y },
    { x: from.x + dx * part, y: from.y + dy * part },
  ];
}

/** So many places in each direction are tried for a card. */
const TRIED = 24;

/**
 * Gets the corner at which a card stands beside a box, within bounds: right of it or left of it, unless it would cover
 * others there; then as near as it covers none, or else where it covers the least of them.
 */
export function beside(box, card, bounds, gap, others = []) {
  const room = { x: Math.max(0, bounds.width - card.width), y: Math.max(0, bounds.height - card.height) };
  const inside = (x, y) => ({ x: Math.max(0, Math.min(x, room.x)), y: Math.max(0, Math.min(y, room.y)) });
  const right = box.x + box.width / 2 + gap;
  const left = box.x - box.width / 2 - gap - card.width;
  const usual = inside(right + card.width <= bounds.width ? right : left, box.y - card.height / 2);
  const covered = ({ x, y }, boxes) => {
    const place = { ...card, x: x + card.width / 2, y: y + card.height / 2 };
    return boxes.reduce((sum, other) => sum + overlap(place, other), 0);
  };
  if (!covered(usual, others)) return usual;
  const steps = Array.from({ length: TRIED + 1 }, (_, i) => i / TRIED);
  const spots = steps.flatMap((i) => steps.map((j) => ({ x: room.x * i, y: room.y * j })));
  const rated = [usual, ...spots].map((spot) => ({
    spot,
    cost: covered(spot, others),
    // The box itself is covered only where there is no other way.
    far: Math.hypot(spot.x - usual.x, spot.y - usual.y) + covered(spot, [box]),
  }));
  return rated.reduce((best, next) => (next.cost - best.cost || next.far - best.far) < 0 ? next : best).spot;
}

/** Finds the corner inside a box in which a tag covers the least of some others; of equal ones the first, from the left. */
export function corner(box, tag, others) {
  const [dx, dy] = [(box.width - tag.width) / 2, (box.height - tag.height) / 2];
  const places = [[-1, -1], [1, -1], [-1, 1], [1, 1]].map(([i, j]) => ({ ...tag, x: box.x + i * dx, y: box.y + j * dy }));
  const covers = places.map((place) => others.reduce((sum, other) => sum + overlap(place, other), 0));
  return places[covers.indexOf(Math.min(...covers))];
}

/** Gets the area that two boxes share. */
export function overlap(a, b) {
  const share = (p, q, size) => Math.max(0, Math.min(p, q, size));
  const across = share(a.width, b.width, (a.width + b.width) / 2 - Math.abs(a.x - b.x));
  return across * share(a.height, b.height, (a.height + b.height) / 2 - Math.abs(a.y - b.y));
}

/**
 * Chooses how to show a picture that has several views, { place, width, height }: the one that is largest in a room.
 * Gets its place, and how large a unit of it is.
 */
export function arrange(views, room, largest) {
  const sized = views.map(({ place, width, height }) => ({ place, width, scale: Math.min(room.width / width, room.height / height, largest) }));
  return sized.reduce((best, view) => (view.scale > best.scale ? view : best));
}

/** Gets the key frames of a walk through points to its last one: shifts from there, spread evenly over the way. */
export function walkFrames(points) {
  const end = points[points.length - 1];
  const way = [0];
  for (let i = 1; i < points.length; i++) {
    way.push(way[i - 1] + Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y));
  }
  const whole = way[way.length - 1] || 1;
  return points.map((point, i) => ({ x: point.x - end.x, y: point.y - end.y, offset: way[i] / whole, way: way[i] }));
}

/** Finds the box that a point is in, be it only within some slack; of several the one in whose middle it is most. -1 for none. */
export function hit(boxes, point, slack = 0) {
  const out = ({ x, y, width, height }) => Math.max(Math.abs(point.x - x) / (width / 2 + slack), Math.abs(point.y - y) / (height / 2 + slack));
  return boxes.reduce((best, box, i) => (out(box) <= 1 && (best < 0 || out(box) < out(boxes[best])) ? i : best), -1);
}

/** Goes on from an index in a ring of some length. */
export function step(index, by, length) {
  return (((index + by) % length) + length) % length;
}
