import { readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { elementaryChanges, schemaWith } from "../../shared/elementary-changes.js";
import { fromRoot } from "../../shared/paths.js";
import type { InputError } from "../../../generator/base/input-error.js";
import { OracleFailure, type Modules, type Target } from "../target.js";

type Generator = typeof import("../../../generator/index.js");

/** A description with which schemas are read. */
export const elementary: string = fromRoot("test/fixtures/elementary/protocol.json");

const ticker = fromRoot("test/fixtures/ticker/protocol.json");
const tickerTypes = fromRoot("test/fixtures/ticker/types.json");

/** Tokens of JSON Schema and formats based on it. */
const schemaTokens = [
  ...[
    "$ref",
    "#/definitions/",
    "#/definitions/A",
    "type",
    "properties",
    "required",
    "additionalProperties",
  ],
  ...[
    "enum",
    "_enum",
    "enumDescriptions",
    "allOf",
    "anyOf",
    "oneOf",
    "items",
    "definitions",
    "$defs",
  ],
  ...[
    "title",
    "description",
    "deprecated",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "minItems",
  ],
  ...[
    "string",
    "integer",
    "number",
    "boolean",
    "null",
    "object",
    "array",
    "const",
    "format",
    "pattern",
  ],
  ...["Request", "Response", "Event", "ErrorResponse", "ProtocolMessage", "Payload", "PutRequest"],
  ...[
    "GotEvent",
    "command",
    "event",
    "body",
    "arguments",
    "seq",
    "q",
    "p",
    "kind",
    "~1",
    "~0",
    "%25",
  ],
];

/** Complete schemas that are meaningful. */
const schemaParts: readonly unknown[] = [
  { $ref: "#/definitions/Payload" },
  { type: "string" },
  { type: ["string", "null"] },
  { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  { type: "array", items: { $ref: "#/definitions/Payload" } },
  { type: "string", enum: ["a", "b"] },
  { type: "string", _enum: ["a", "b"] },
  { type: "integer", minimum: 0, maximum: 5 },
  { anyOf: [{ type: "string" }, { type: "integer" }] },
  { allOf: [{ $ref: "#/definitions/Request" }, { type: "object", properties: {} }] },
  { type: "object", additionalProperties: { type: "string" } },
];

/** Checks that an input error is printable, and rethrows anything else. */
export async function refusable(
  modules: {
    readonly InputError: Generator["InputError"];
    readonly formatInputError: Generator["formatInputError"];
  },
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof modules.InputError)) throw error;
    const { message, code } = error as InputError;
    const sentence = modules.formatInputError(error as InputError);
    if (message === "" || !sentence.includes(code))
      throw new OracleFailure("sentence", `${code}: ${JSON.stringify(sentence)}`);
  }
}

function schemas(): readonly string[] {
  return elementaryChanges.flatMap(({ before, after }) =>
    [before, after].flatMap((payload) =>
      payload === undefined ? [] : [JSON.stringify(schemaWith(payload, "adapter"))],
    ),
  );
}

const schema: Target = {
  name: "schema",
  about: "the schema reader, and the emitter of what it accepts",
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
    const generator = await modules<Generator>("generator/index.js");
    return {
      check: (input, random) =>
        refusable(generator, async () => {
          const { protocol } = await generator.openProtocolSource("-", elementary, {
            readStdin: () => Promise.resolve(Buffer.from(input).toString()),
          });
          if (random.oneIn(4)) await generator.emitPackage(protocol);
          const { findings } = generator.diffProtocols(protocol, protocol);
          if (findings.length > 0) {
            const [{ id, at } = { id: "", at: "" }] = findings;
            throw new OracleFailure("same", `${id} at ${at}`, id);
          }
        }),
    };
  },
};

/** A reader of one file; the file that it belongs to is fixed. */
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
      const generator = await modules<Generator>("generator/index.js");
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

const description = describedTarget(
  "description",
  "the reader of protocol descriptions",
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
    ...["by", "table", "inheritance", "method", "requests", "events", "docs", "params", "result"],
    ...[
      "error",
      "StartParams",
      "StartParams?",
      "TickParams",
      "TickerError",
      "watcher",
      "clock",
      "both",
    ],
    ...[
      "when",
      "payload",
      "id",
      "idTypes",
      "replyTo",
      "constants",
      "framing",
      "lines",
      "content-length",
    ],
    ...[
      "capabilities",
      "gates",
      "messages",
      "properties",
      "defaults",
      "StartParams/interval",
      "dialects",
    ],
    ...[
      "reads",
      "writes",
      "names",
      "sets",
      "set",
      "sender",
      "exceptions",
      "extensible",
      "notation",
    ],
    ...["line", "words", "b(reak)?", "( {location:place})?", "refuses", "references", "essential"],
    ...[
      "watcher.confirms",
      "update",
      "versions",
      "current",
      "annotations",
      "forgives",
      "texts",
      "omit",
    ],
  ],
);

const overlay = describedTarget(
  "overlay",
  "the reader of overlays, and what merges them",
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

/** Loads the readers of a command, each of which takes a path. */
async function fileReaders(
  modules: Modules,
): Promise<readonly ((path: string) => Promise<unknown>)[]> {
  const { readProjectFile } = await modules<
    typeof import("../../../generator/cli/project-file.js")
  >("generator/cli/project-file.js");
  const { readHost } = await modules<typeof import("../../../generator/lint/host-table.js")>(
    "generator/lint/host-table.js",
  );
  const { check } = await modules<
    typeof import("../../../generator/read/description/check-file.js")
  >("generator/read/description/check-file.js");
  const { readJsonInput } = await modules<
    typeof import("../../../generator/read/source/input-source.js")
  >("generator/read/source/input-source.js");
  return [
    readProjectFile,
    (path) => readHost(path, "dap"),
    async (path) => check(await readJsonInput(path), "accept", "ERR_CONFIG"),
  ];
}

const config: Target = {
  name: "config",
  about: "the readers of project files, host tables and accepted findings",
  format: "json",
  mostMs: 400,
  work: { base: 3_000_000, perByte: 20_000 },
  tokens: [
    ...[
      "packages",
      "protocol",
      "out",
      "schema",
      "version",
      "overlays",
      "runtime",
      "package",
      "since",
    ],
    ...["accept", "id", "at", "reason", "until", "name", "title", "outcomes", "severity", "docs"],
    ...[
      "rules",
      "outcome",
      "message",
      "test",
      "anyOf",
      "entities",
      "begins",
      "ends",
      "present",
      "is",
    ],
    ...[
      "dap",
      "../x",
      "/",
      "error",
      "warning",
      "info",
      "numbers",
      "least",
      "greatest",
      "undecidable",
    ],
  ],
  seeds: () => [
    JSON.stringify({
      packages: [
        { protocol: "dap", out: "a" },
        { protocol: "b", out: "c" },
      ],
    }),
    JSON.stringify({
      packages: [
        { protocol: "dap", out: "a", version: "1.71.0", overlays: ["o.json"], package: "@a/b" },
      ],
    }),
    JSON.stringify({ accept: [{ id: "prop.removed-optional", at: "A.b", reason: "c" }] }),
    JSON.stringify({
      ...{
        name: "mine",
        title: "Mine",
        outcomes: { dies: { severity: "error", docs: "It dies." } },
      },
      rules: [
        {
          ...{ id: "mine.rule", outcome: "dies", docs: "A rule.", message: "stopped" },
          test: { "body/threadId": { present: true, is: [1] } },
        },
      ],
    }),
  ],
  async open(modules) {
    const readers = await fileReaders(modules);
    const generator = await modules<Generator>("generator/index.js");
    const folder = mkdtempSync(join(tmpdir(), "wirewright-fuzz-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "input.json");
    return {
      async check(input) {
        writeFileSync(path, input);
        for (const read of readers)
          await refusable(generator, async () => {
            await read(path);
          });
      },
    };
  },
};

/** Initial declaration files, in the form that describes protocols. */
const declared = `export declare module P {
  /** Base. */
  interface ProtocolMessage { seq: number; type: 'request' | 'response' | 'event' | string; }
  interface Request extends ProtocolMessage { command: string; arguments?: any; }
  interface Event extends ProtocolMessage { event: string; body?: any; }
  interface Response extends ProtocolMessage { request_seq: number; success: boolean; command: string; message?: 'a' | string; body?: any; }
  interface ErrorResponse extends Response { body: { error?: string; }; }
  interface PutRequest extends Request {
    // command: 'put';
    arguments: PutArguments;
  }
  interface PutResponse extends Response { }
  interface PutArguments { a: string; "b"?: number[]; c?: { [key: string]: string | null; }; d: (A | B)[]; }
  type A = 'x' | 'y';
  type B = string;
  enum E { one = 1 }
}
`;

const declarations: Target = {
  name: "declarations",
  about: "the reader of .d.ts files",
  format: "bytes",
  maxLength: 3_000,
  weight: 0.5,
  mostMs: 3_000,
  work: { base: 3_000_000, perByte: 20_000 },
  tokens: [
    ...["interface ", "type ", "extends ", "export ", "declare ", "module ", "namespace ", "enum "],
    ...[
      "string",
      "number",
      "boolean",
      "null",
      "any",
      "unknown",
      "object",
      "never",
      "| ",
      "& ",
      "[]",
    ],
    ...[
      "Array<",
      "Readonly",
      "Record<string, ",
      ">",
      "{ ",
      "}",
      "(",
      ")",
      ";",
      ":",
      "?",
      "'a'",
      '"b"',
    ],
    ...[
      "/** ",
      "*/",
      "// command: 'put';",
      "[key: string]: ",
      "readonly ",
      "keyof ",
      "=> void",
      "`a`",
    ],
    ...[
      "import x from 'y';",
      "import('z')",
      "-1",
      "1.5",
      "1n",
      "true",
      "string & {}",
      "A.B",
      "\\u0061",
    ],
    ...[
      "'\\x'",
      "'\\u{1}'",
      "'a\\\n'",
      "unique symbol",
      "typeof ",
      "infer ",
      "this",
      "[a, b]",
      "void",
    ],
  ],
  seeds: () => [declared],
  async open(modules) {
    const generator = await modules<Generator>("generator/index.js");
    const { readDeclarations } = await modules<
      typeof import("../../../generator/read/source/declarations.js")
    >("generator/read/source/declarations.js");
    return {
      check: (input) =>
        refusable(generator, async () => {
          const file = await readDeclarations(Buffer.from(input).toString(), "types.d.ts");
          JSON.stringify(file.value);
          file.locate("/definitions/PutRequest");
        }),
    };
  },
};

/** The readers of the tool's inputs. */
export const readers: readonly Target[] = [schema, description, overlay, config, declarations];
export { schemaParts, schemaTokens };
