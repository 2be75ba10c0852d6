import { elementaryChanges, schemaWith } from "../../../test/support/elementary-changes.js";
import { OracleFailure, type Target } from "../target.js";
import { description, overlay } from "./described-protocols.js";
import { config } from "./config-files.js";
import { declarations } from "./declaration-files.js";
import { schemaParts, schemaTokens } from "./schema-tokens.js";
import { elementary, type Generator, refusable } from "./refusable.js";

function schemas(): readonly string[] {
  return elementaryChanges.flatMap(({ before, after }) =>
    [before, after].flatMap((payload) =>
      payload === undefined ? [] : [JSON.stringify(schemaWith(payload, "adapter"))],
    ),
  );
}

const schema: Target = {
  name: "schema",
  about: "the schema reader, and the emitter for the schemas that it accepts",
  format: "json",
  maxLength: 6_000,
  mostMs: 400,
  work: { base: 3_000_000, perByte: 20_000 },
  tokens: schemaTokens,
  values: schemaParts,
  seeds: () => [
    ...schemas().filter((_, index) => index % 6 === 0),
    JSON.stringify(schemaWith({ schema: { type: "object" } }, "client")),
  ],
  async open(modules) {
    const generator = await modules<Generator>("cli/index.js");
    return {
      check: (input, random) =>
        refusable(generator, async () => {
          const { protocol } = await generator.openProtocolSource("-", elementary, {
            readStdin: () => Promise.resolve(Buffer.from(input).toString()),
          });
          if (random.oneIn(4)) await generator.emitPackage(protocol);
          const { findings } = generator.diffProtocols(protocol, protocol);
          if (findings.length > 0) {
            const [{ rule, at } = { rule: "", at: "" }] = findings;
            throw new OracleFailure("same", `${rule} at ${at}`, rule);
          }
        }),
    };
  },
};

/** The readers for the tool's inputs. */
export const readers: readonly Target[] = [schema, description, overlay, config, declarations];
