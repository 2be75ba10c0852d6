/**
 * Preloaded before a test file. Reports the start and end of each test on file descriptor 3, and
 * records which code each test reaches.
 */
import { writeSync } from "node:fs";
import { afterEach, beforeEach } from "node:test";
import { recordCoverage } from "./coverage-recorder.js";
import type { TestNote } from "./test-process.js";

function say(note: TestNote): void {
  writeSync(3, `${JSON.stringify(note)}\n`);
}

const enterTest = recordCoverage();
const inChild = new URL("coverage-of-child.js", import.meta.url).href;
process.env["NODE_OPTIONS"] = `${process.env["NODE_OPTIONS"] ?? ""} --import=${inChild}`;

// Report only outermost tests, because subtests belong to their outermost test.
let depth = 0;
let begun = 0;
beforeEach((context) => {
  if (depth++ > 0) return;
  const { name } = context as { name: string };
  begun = performance.now();
  enterTest(name);
  say({ kind: "started", name });
});
afterEach((context) => {
  if (--depth > 0) return;
  const { name } = context as { name: string };
  const ms = performance.now() - begun;
  enterTest("");
  say({ kind: "ended", name, ms });
});
