/**
 * Random edits to real protocols. Sample values confirm the results of the comparison.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diffProtocols, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { Random } from "../support/random.js";
import { editPart, judgeEdit, type EditedPart } from "../support/model-edits/judge-edit.js";
import { withoutConditions } from "../support/model-edits/small-protocol.js";
import { isLong } from "../support/long-tests.js";
import { outsideSchemas } from "../support/outside-schemas.js";

const count = isLong ? 10_000 : 40;

interface Subject {
  /** Seeds that found a bug. */
  readonly values: readonly number[];
  /** Seeds that found a bug once edits could reverse directions. */
  readonly flipped?: readonly number[];
}

const subjects: Readonly<Record<string, Subject>> = {
  lsp: {
    values: [16, 135, 4523, 4566, 35810],
    flipped: [
      31, 212, 30003870, 30004331, 30004875, 30008036, 30009578, 10001402, 11000766, 11001458,
      11001509, 11002039, 11002907, 11003717, 11003786, 11004802, 11005858, 11005928, 11006591,
      11009760, 11009984, 80000035, 80004101, 80005159, 83001603, 100005229, 100006231, 122001864,
    ],
  },
  mcp: {
    values: [92, 101, 126, 1138],
    flipped: [
      13000125, 30000642, 30002584, 30002947, 30005778, 30006201, 30006311, 50001931, 82000475,
    ],
  },
  cdp: {
    values: [16, 21, 32, 77],
    flipped: [30000178, 30000261, 30001373, 30003545, 40001868],
  },
  acp: { values: [] },
  dap: {
    values: [52, 71, 101, 344, 36621],
    flipped: [
      20368, 30000257, 30000740, 30004225, 30006633, 30007493, 30007587, 30007614, 30007770,
      30009869, 22, 59, 81, 93, 101, 152, 158, 187, 11001984, 11002125,
    ],
  },
};

for (const [name, { values, flipped = [] }] of Object.entries(subjects)) {
  const { files, skip } = /^(acp|dap)$/.test(name)
    ? { files: undefined, skip: false }
    : outsideSchemas(name);
  const read = async (): Promise<Protocol> =>
    withoutConditions(
      await (name === "lsp"
        ? readWithPrivate(files![0]!)
        : readProtocol(name, files === undefined ? {} : { schema: files })),
    );
  const edits = (protocol: Protocol, seeds: readonly number[], from: number): EditedPart[] => {
    const parts = [
      ...seeds.flatMap((seed) => editPart(new Random(seed), protocol) ?? []),
      ...flipped.flatMap((seed) => editPart(new Random(seed), protocol, true) ?? []),
    ];
    for (let seed = from; parts.length < count; seed++)
      parts.push(
        ...[editPart(new Random(seed), protocol, true)].filter((part) => part !== undefined),
      );
    return parts;
  };

  test(
    `sample values agree with the verdicts on ${count} random edits to ${name}`,
    { skip },
    async () => {
      const protocol = await read();
      for (const [index, part] of edits(protocol, values, 10_000).entries()) {
        const contradictions = judgeEdit(new Random(index), part, (before, after, reader) =>
          diffProtocols(before, after, { reader }),
        );
        assert.deepEqual(contradictions, [], `${index}: ${part.kinds.join(", ")}`);
      }
    },
  );
}

/**
 * Reads a meta model with its private structures as ordinary definitions, so that each seed still
 * selects the same edit.
 */
function readWithPrivate(path: string): Promise<Protocol> {
  const text = readFileSync(path, "utf8").replaceAll(/"_(?=[A-Z]\w*")/g, '"Private');
  return readProtocol("lsp", { schema: ["-"], readStdin: () => Promise.resolve(text) });
}

/** Tests a comparison that drops all its findings. */
test("sample values contradict a comparison that reports nothing", async () => {
  const protocol = withoutConditions(await readProtocol("dap"));
  const nothing = (before: Protocol, after: Protocol): ReturnType<typeof diffProtocols> => ({
    ...diffProtocols(before, after),
    findings: [],
  });
  const parts = Array.from({ length: 20 }, (_, seed) =>
    editPart(new Random(seed), protocol),
  ).filter((part) => part !== undefined);
  const wrong = parts.flatMap((part) => judgeEdit(new Random(1), part, nothing));
  assert.ok(wrong.length > 0);
});
