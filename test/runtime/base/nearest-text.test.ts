import assert from "node:assert/strict";
import { test } from "node:test";
import { nearestText } from "../../../runtime/base/nearest-text.js";

test("a suggestion differs in at most a third of its letters", () => {
  const candidates = ["launch", "attach", "next", "goto"];
  const meant = [
    "lanuch",
    "LAUNCH",
    "launc",
    "lauunch",
    "atach",
    "nxet",
    "gt",
    "gooto",
    "threads",
    "",
  ];
  assert.deepEqual(
    meant.map((text) => nearestText(text, candidates)),
    [
      "launch",
      "launch",
      "launch",
      "launch",
      "attach",
      "next",
      undefined,
      "goto",
      undefined,
      undefined,
    ],
  );
});

test("the nearest candidate is suggested, and the first of several that are equally near", () => {
  assert.equal(nearestText("stepin", ["stepOn", "stepIn", "stepIns"]), "stepIn");
  assert.equal(nearestText("abcd", ["abcx", "abcy"]), "abcx");
});
