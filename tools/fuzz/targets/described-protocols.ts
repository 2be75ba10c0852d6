import { readFileSync } from "node:fs";
import { fromRoot } from "../../../test/support/paths.js";
import { type Target } from "../target.js";
import { elementary, type Generator, refusable } from "./refusable.js";
import { schemaParts, schemaTokens } from "./schema-tokens.js";

const ticker = fromRoot("test/fixtures/ticker/protocol.json");
const tickerTypes = fromRoot("test/fixtures/ticker/types.json");

/** Creates a target for the reader of one file. The protocol's other files are fixed. */
function describedTarget(
  name: string,
  about: string,
  seeds: () => readonly string[],
  read: (generator: Generator, fetchText: (url: string) => Promise<string>) => Promise<void>,
  tokens: readonly string[],
): Target {
  return {
    name,
    about,
    format: "json",
    maxLength: 6_000,
    mostMs: 400,
    work: { base: 3_000_000, perByte: 20_000 },
    tokens: [...tokens, ...schemaTokens],
    values: schemaParts,
    seeds,
    async open(modules) {
      const generator = await modules<Generator>("cli/index.js");
      const types = readFileSync(tickerTypes, "utf8");
      return {
        check: (input) =>
          refusable(generator, () =>
            read(generator, (url) =>
              Promise.resolve(url.endsWith("types.json") ? types : Buffer.from(input).toString()),
            ),
          ),
      };
    },
  };
}

export const description = describedTarget(
  "description",
  "the reader for protocol descriptions",
  () => {
    const json = JSON.parse(readFileSync(ticker, "utf8")) as { schema: { versions: object } };
    json.schema.versions = { "1.0.0": "https://fuzz/types.json" };
    const inherited = JSON.parse(readFileSync(elementary, "utf8")) as typeof json;
    inherited.schema.versions = Object.fromEntries(
      Object.keys(inherited.schema.versions).map((version) => [version, "https://fuzz/types.json"]),
    );
    return [json, inherited].map((each) => JSON.stringify(each));
  },
  async (generator, fetchText) => {
    const protocol = await generator.readProtocol("https://fuzz/protocol.json", { fetchText });
    await generator.emitPackage(protocol);
  },
  [
    "by",
    "table",
    "inheritance",
    "method",
    "requests",
    "events",
    "docs",
    "params",
    "result",
    "error",
    "StartParams",
    "StartParams?",
    "TickParams",
    "TickerError",
    "watcher",
    "clock",
    "both",
    "when",
    "payload",
    "id",
    "idTypes",
    "replyTo",
    "constants",
    "framing",
    "lines",
    "content-length",
    "capabilities",
    "gates",
    "messages",
    "properties",
    "defaults",
    "StartParams/interval",
    "dialects",
    "reads",
    "writes",
    "names",
    "sets",
    "set",
    "sender",
    "exceptions",
    "extensible",
    "notation",
    "line",
    "words",
    "b(reak)?",
    "( {location:place})?",
    "refuses",
    "references",
    "essential",
    "watcher.confirms",
    "update",
    "versions",
    "current",
    "annotations",
    "forgives",
    "texts",
    "omit",
  ],
);

export const overlay = describedTarget(
  "overlay",
  "the reader for overlays, and the code that merges them",
  () => [
    JSON.stringify({
      definitions: {
        StartParams: { properties: { mine: { type: "string" } } },
        Mine: { type: "object", properties: { a: { $ref: "#/definitions/StartParams" } } },
      },
    }),
    JSON.stringify({
      messages: {
        requests: { "my/request": { params: "Mine?", result: "Mine", sender: "clock" } },
      },
      definitions: { Mine: { type: "object", properties: {} } },
      defaults: { "StartParams/interval": 5 },
      extensible: ["StartParams"],
    }),
    JSON.stringify({ gates: { messages: { "ticker/start": "watcher.confirms" } } }),
    JSON.stringify({ directions: { exceptions: { "ticker/start": "clock" } } }),
  ],
  async (generator, fetchText) => {
    await generator.readProtocol(ticker, { overlays: ["https://fuzz/overlay.json"], fetchText });
  },
  [
    "StartParams",
    "StartResult",
    "TickParams",
    "ConfirmParams",
    "interval",
    "ticker/start",
    "clock",
  ],
);
