import { hashOf, Random } from "../random.js";
import { judgeChain } from "../schema-pairs/judge-chain.js";
import { OracleFailure, type Target } from "../target.js";
import { elementary } from "./refusable.js";

/**
 * Compares two versions of a schema. The input is the seed from which they are created, so mutating
 * the input results in another pair.
 */
export const schemaPairs: Target = {
  name: "schema-pairs",
  about: "diff between two random schemas, compared with ajv on their messages",
  format: "bytes",
  maxLength: 8,
  mostMs: 5_000,
  weight: 0.5,
  work: { base: 200_000_000, perByte: 0 },
  seeds: () => ["a"],
  async open(modules) {
    const generator = await modules<typeof import("../../../cli/index.js")>("cli/index.js");
    return {
      async check(input) {
        const pairs = judgeChain(new Random(hashOf(input)), 1, {
          read: async (schema) => {
            const readStdin = (): Promise<string> => Promise.resolve(JSON.stringify(schema));
            return (await generator.openProtocolSource("-", elementary, { readStdin })).protocol;
          },
          diff: (before, after, reader) => generator.diffProtocols(before, after, { reader }),
        });
        for await (const { before, after, contradictions } of pairs) {
          const [first] = contradictions;
          if (first === undefined) continue;
          const { policy, pair, problem, payload } = first;
          throw new OracleFailure(
            "levels",
            `${policy}, ${pair}: ${problem}: ${JSON.stringify(payload)}\n${JSON.stringify(before)}\n${JSON.stringify(after)}`,
            policy,
          );
        }
      },
    };
  },
};
