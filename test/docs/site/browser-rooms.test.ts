/**
 * Tests the rooms whose code also runs in the playground: they access the system only through
 * `generator/base/files.ts` and `generator/base/packages.ts`, which the site replaces.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { filesBelow, fromRoot } from "../../support/paths.js";

const rooms = [
  "generator/print",
  "generator/model",
  "generator/read",
  "generator/emit",
  "diff",
  "sessions/read",
  "sessions/judge",
  "sessions/show/exchanges",
];

/** Folders in these rooms that only the command line tool uses. */
const commandOnly = /^sessions\/judge\/batch\//;

/** Node modules that only compute and never access the system. */
const pureModules = /^node:(path|url|util|buffer|crypto)$/;

/** Modules that run only in the command line tool, each with the system module that it imports. */
const systemImports = [
  // Reads revisions from git.
  "generator/read/source/git-files.ts node:child_process",
  // Compiles the user's code with ts-morph.
  "diff/diff-code.ts node:fs",
];

test("rooms that run in browsers access files through a single module", () => {
  const imports = rooms
    .flatMap((room) => filesBelow(room, /\.ts$/))
    .filter((path) => !commandOnly.test(path))
    .flatMap((path) =>
      [
        ...readFileSync(fromRoot(path), "utf8").matchAll(
          /^(?:import .*|\} )from "(node:[^"]+)"|import\("(node:[^"]+)"\)/gm,
        ),
      ]
        .map(([, fixed, dynamic]) => fixed ?? dynamic!)
        .filter((module) => !pureModules.test(module))
        .map((module) => `${path} ${module}`),
    );
  assert.deepEqual([...new Set(imports)].sort(), [...systemImports].sort());
});
