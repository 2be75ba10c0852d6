import assert from "node:assert/strict";
import { test } from "node:test";
import { runWithin } from "../../generator/base/packages.js";

test("a call that does not return is stopped", () => {
  const forever = (): never => {
    for (;;);
  };
  assert.equal(runWithin(40, forever), undefined);
});

test("a call that was given too little processor time is repeated", () => {
  let calls = 0;
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const busyTwice = (): string => {
    if (++calls < 3) Atomics.wait(shared, 0, 0, 400);
    return "done";
  };
  assert.equal(runWithin(40, busyTwice), "done");
  assert.equal(calls, 3);
});
