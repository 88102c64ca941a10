// What a widget asks of a Python that is gone is no error but is said on the page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

// The file is a module without a package that says so, which not every Node takes for one.
const source = await readFile(new URL("../../aquakit/widgets/static/dom.js", import.meta.url), "utf8");
const { makeAsk, onLost } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const deaf = () => ({
  send() {
    throw new Error("Cannot send");
  },
});

test("what is asked is sent with its details", () => {
  const sent = [];
  makeAsk({ send: (message) => sent.push(message) })("step", { number: 2 });
  assert.deepEqual(sent, [{ do: "step", number: 2 }]);
});

test("where Python is gone that is found out at once, and nothing is thrown", () => {
  const [model, other] = [deaf(), deaf()];
  let found = 0;
  onLost(model, () => Boolean(++found));
  makeAsk(model)("undo");
  makeAsk(model)("redo");
  assert.equal(found, 2);
  assert.throws(() => makeAsk(other)("undo"), /Cannot send/, "nobody finds out for another widget");
});

test("another failure is no sign of that, and is not hidden", () => {
  const model = deaf();
  onLost(model, () => false);
  assert.throws(() => makeAsk(model)("undo"), /Cannot send/);
});
