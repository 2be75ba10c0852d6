import { elementaryChanges, schemaWith } from "../../../test/support/elementary-changes.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { parseJson } from "../mutate-json.js";
import type { Target } from "../target.js";
import { elementary, refusable } from "./refusable.js";
import { schemaParts, schemaTokens } from "./schema-tokens.js";
import { assertVisible } from "./visible.js";

/** Compares two schemas. The second is often a modified copy of the first. */
export const diff: Target = {
  name: "diff",
  about: "diff between two mutated schemas, and its reports",
  format: "json",
  maxLength: 8_000,
  mostMs: 600,
  work: { base: 5_000_000, perByte: 40_000 },
  tokens: [...schemaTokens, "<img onerror=x>", "\u001b[31m", "::error::x", "\u202e", "a\n::b::"],
  values: schemaParts,
  seeds: () =>
    elementaryChanges
      .filter((_, index) => index % 4 === 0)
      .map(({ before, after }) =>
        JSON.stringify({
          before: schemaWith(before, "adapter"),
          after: schemaWith(after, "adapter"),
        }),
      ),
  async open(modules) {
    const generator = await modules<typeof import("../../../cli/index.js")>("cli/index.js");
    const { judgeFindings } = await modules<typeof import("../../../diff/accepted-findings.js")>(
      "diff/accepted-findings.js",
    );
    const { printDiff, diffFormats } =
      await modules<typeof import("../../../cli/print-diff.js")>("cli/print-diff.js");
    const open = (value: unknown): ReturnType<typeof generator.openProtocolSource> =>
      generator.openProtocolSource("-", elementary, {
        readStdin: () => Promise.resolve(JSON.stringify(value ?? null)),
      });
    return {
      check: (input, random) =>
        refusable(generator, async () => {
          const json = parseJson(input) as { before?: unknown; after?: unknown } | undefined;
          if (typeof json !== "object" || json === null) return;
          const before = await open(json.before);
          const after = await open(json.after);
          const compare = (
            older: Protocol,
            newer: Protocol,
          ): ReturnType<typeof generator.diffProtocols> =>
            generator.diffProtocols(older, newer, {
              reader: random.pick(["strict", "schema", "tolerant"] as const),
            });
          compare(after.protocol, before.protocol);
          const found = compare(before.protocol, after.protocol);
          const report = {
            diff: found,
            bump: generator.adviseBump(found),
            ...judgeFindings(found.findings, [], "2026-01-01"),
          };
          const format = random.pick(diffFormats);
          const sources = { before: before.schema, after: after.schema };
          const text = await printDiff({ ...report, ...sources } as never, format, {
            expand: random.oneIn(2),
          });
          assertVisible(text, `diff ${format}`);
        }),
    };
  },
};
