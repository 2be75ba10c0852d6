/** Readers of schemas, declarations and our own files: each input is read or refused in a sentence. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import {
  adviseBump,
  diffProtocols,
  emitPackage,
  formatInputError,
  InputError,
  openProtocolSource,
  readHost,
  readProtocol,
} from "../../cli/index.js";
import { diffFormats, printDiff } from "../../cli/print-diff.js";
import { readProjectFile } from "../../cli/project-file.js";
import { judgeFindings } from "../../diff/accepted-findings.js";
import { check } from "../../generator/read/description/check-file.js";
import { readDeclarations } from "../../generator/read/source/declarations.js";
import { readJsonInput } from "../../generator/read/source/input-source.js";
import { elementaryChanges, schemaWith } from "../support/elementary-changes.js";
import { mutatedJson, mutatedText } from "../support/mutated-inputs.js";
import { fromRoot } from "../support/paths.js";
import { property } from "../support/property.js";
import { assertVisible } from "../support/visible-text.js";

const elementary = fromRoot("test/fixtures/elementary/protocol.json");
const ticker = fromRoot("test/fixtures/ticker/protocol.json");
const tickerTypes = readFileSync(fromRoot("test/fixtures/ticker/types.json"), "utf8");

/** Runs a reader, which may only fail with an error that says what is wrong. */
async function refusable(read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    assert.notEqual(error.message, "");
    assert.ok(formatInputError(error).includes(error.code));
  }
}

const readSchema = (schema: unknown): ReturnType<typeof openProtocolSource> =>
  openProtocolSource("-", elementary, { readStdin: () => Promise.resolve(JSON.stringify(schema)) });

const tokens =
  "$ref|#/definitions/|#/definitions/A|type|properties|required|additionalProperties|enum|_enum|enumDescriptions|allOf|anyOf|oneOf|items|definitions|$defs|title|description|deprecated|default|minimum|maximum|minLength|minItems|string|integer|number|boolean|null|object|array|const|format|pattern|Request|Response|Event|ErrorResponse|ProtocolMessage|Payload|PutRequest|GotEvent|command|event|body|arguments|seq|q|p|kind|~1|~0|%25".split(
    "|",
  );
const values: readonly unknown[] = [
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

/** An accepted schema can be emitted, and does not differ from itself. */
async function checkSchema(schema: unknown, isEmitted: boolean): Promise<void> {
  await refusable(async () => {
    const { protocol } = await readSchema(schema);
    if (isEmitted) await emitPackage(protocol);
    assert.deepEqual(diffProtocols(protocol, protocol).findings, []);
  });
}

property(
  "a schema is read or refused, and does not differ from itself",
  fc.record({
    schema: mutatedJson({
      seeds: elementaryChanges.flatMap(({ before, after }) =>
        [before, after].flatMap((payload) =>
          payload === undefined ? [] : [schemaWith(payload, "adapter")],
        ),
      ),
      tokens,
      values,
    }),
    isEmitted: fc.integer({ min: 0, max: 3 }).map((choice) => choice === 3),
  }),
  ({ schema, isEmitted }) => checkSchema(schema, isEmitted),
  50,
);

async function checkDiff(
  { before, after }: { readonly before?: unknown; readonly after?: unknown },
  reader: "strict" | "schema" | "tolerant",
  format: (typeof diffFormats)[number],
  expand: boolean,
): Promise<void> {
  await refusable(async () => {
    const older = await readSchema(before ?? null);
    const newer = await readSchema(after ?? null);
    diffProtocols(newer.protocol, older.protocol, { reader });
    const diff = diffProtocols(older.protocol, newer.protocol, { reader });
    const report = {
      diff,
      bump: adviseBump(diff),
      ...judgeFindings(diff.findings, [], "2026-01-01"),
      before: older.schema,
      after: newer.schema,
    };
    assertVisible(await printDiff(report as never, format, { expand }));
  });
}

property(
  "two schemas are compared, and the report shows no control characters",
  fc.record({
    versions: mutatedJson({
      seeds: elementaryChanges.map(({ before, after }) => ({
        before: schemaWith(before, "adapter"),
        after: schemaWith(after, "adapter"),
      })),
      tokens: [...tokens, "<img onerror=x>", "\u001b[31m", "::error::x", "\u202e", "a\n::b::"],
      values,
    }),
    reader: fc.constantFrom("strict" as const, "schema" as const, "tolerant" as const),
    format: fc.constantFrom(...diffFormats),
    expand: fc.boolean(),
  }),
  async ({ versions, reader, format, expand }) => {
    if (typeof versions === "object" && versions !== null)
      await checkDiff(versions, reader, format, expand);
  },
  50,
);

test("schemas that once broke a reader", async () => {
  const schemas: readonly object[] = [
    { definitions: { a: { allOf: [{ type: "toString", required: [] }] } } },
    { definitions: { a: { allOf: [{ properties: { "": { type: [{ toString: {} }] } } }] } } },
    {
      definitions: {
        ProtocolMessage: {
          properties: {
            seq: { type: "integer" },
            type: {
              allOf: [
                { $ref: "#/definitions/ProtocolMessage" },
                { properties: {}, required: ["type", "event"] },
              ],
            },
          },
        },
        PutResponse: {},
      },
    },
  ];
  for (const schema of schemas) await checkSchema(schema, true);
  const before = { definitions: { a: { type: "constructor" } } };
  for (const format of diffFormats) await checkDiff({ before }, "schema", format, true);
});

/** Reads files at addresses: those of a fixture, except for one. */
const fetchWith =
  (file: unknown) =>
  (url: string): Promise<string> =>
    Promise.resolve(url.endsWith("types.json") ? tickerTypes : JSON.stringify(file));

const descriptions = [ticker, elementary].map((path) => {
  const description = JSON.parse(readFileSync(path, "utf8")) as { schema: { versions: object } };
  description.schema.versions = Object.fromEntries(
    Object.keys(description.schema.versions).map((version) => [version, "https://a/types.json"]),
  );
  return description;
});

property(
  "a description is read or refused, and can be emitted",
  mutatedJson({
    seeds: descriptions,
    tokens: [
      ..."by|table|inheritance|method|requests|events|docs|params|result|error|StartParams|StartParams?|TickParams|TickerError|watcher|clock|both|when|payload|id|idTypes|replyTo|constants|framing|lines|content-length|capabilities|gates|messages|properties|defaults|StartParams/interval|dialects|reads|writes|names|sets|set|sender|exceptions|extensible|notation|line|words|b(reak)?|( {location:place})?|refuses|references|essential|watcher.confirms|update|versions|current|annotations|forgives|texts|omit".split(
        "|",
      ),
      ...tokens,
    ],
    values,
  }),
  (description) =>
    refusable(async () => {
      const fetchText = fetchWith(description);
      await emitPackage(await readProtocol("https://a/protocol.json", { fetchText }));
    }),
  40,
);

property(
  "an overlay is merged or refused",
  mutatedJson({
    seeds: [
      {
        definitions: {
          StartParams: { properties: { mine: { type: "string" } } },
          Mine: { type: "object", properties: { a: { $ref: "#/definitions/StartParams" } } },
        },
      },
      {
        messages: {
          requests: { "my/request": { params: "Mine?", result: "Mine", sender: "clock" } },
        },
        definitions: { Mine: { type: "object", properties: {} } },
        defaults: { "StartParams/interval": 5 },
        extensible: ["StartParams"],
      },
      { gates: { messages: { "ticker/start": "watcher.confirms" } } },
      { directions: { exceptions: { "ticker/start": "clock" } } },
    ],
    tokens: [
      ..."StartParams StartResult TickParams ConfirmParams interval ticker/start clock".split(" "),
      ...tokens,
    ],
    values,
  }),
  (overlay) =>
    refusable(() =>
      readProtocol(ticker, { overlays: ["https://a/overlay.json"], fetchText: fetchWith(overlay) }),
    ),
);

const folder = mkdtempSync(join(tmpdir(), "wirewright-properties-"));
after(() => rmSync(folder, { recursive: true, force: true }));

property(
  "our own files are read or refused",
  mutatedJson({
    seeds: [
      {
        packages: [
          { protocol: "dap", out: "a" },
          { protocol: "b", out: "c" },
        ],
      },
      {
        packages: [
          { protocol: "dap", out: "a", version: "1.71.0", overlays: ["o.json"], package: "@a/b" },
        ],
      },
      { accept: [{ rule: "prop.removed-optional", at: "A.b", reason: "c" }] },
      {
        name: "mine",
        title: "Mine",
        outcomes: { dies: { severity: "error", docs: "It dies." } },
        rules: [
          {
            id: "mine.rule",
            outcome: "dies",
            docs: "A rule.",
            message: "stopped",
            test: { "body/threadId": { present: true, is: [1] } },
          },
        ],
      },
    ],
    tokens:
      "packages protocol out schema version overlays runtime package since accept id at reason until name title outcomes severity docs rules outcome message test anyOf entities begins ends present is dap ../x / error warning info numbers least greatest undecidable".split(
        " ",
      ),
  }),
  async (file) => {
    const path = join(folder, "input.json");
    writeFileSync(path, JSON.stringify(file) ?? "");
    await refusable(() => readProjectFile(path));
    await refusable(() => readHost(path, "dap"));
    await refusable(async () => check(await readJsonInput(path), "accept", "ERR_CONFIG"));
  },
);

const declarations = `export declare module P {
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

async function checkDeclarations(text: string): Promise<void> {
  await refusable(async () => {
    const file = await readDeclarations(text, "types.d.ts");
    JSON.stringify(file.value);
    file.locate("/definitions/PutRequest");
  });
}

property(
  "declarations are read or refused",
  mutatedText({
    seeds: [declarations],
    tokens:
      "interface ~type ~extends ~export ~declare ~module ~namespace ~enum ~string~number~boolean~null~any~unknown~object~never~| ~& ~[]~Array<~Readonly~Record<string, ~>~{ ~}~(~)~;~:~?~'a'~\"b\"~/** ~*/~// command: 'put';~[key: string]: ~readonly ~keyof ~=> void~`a`~import x from 'y';~import('z')~-1~1.5~1n~true~string & {}~A.B~\\u0061~'\\x'~'\\u{1}'~'a\\\n'~unique symbol~typeof ~infer ~this~[a, b]~void".split(
        "~",
      ),
    maxLength: 3_000,
  }),
  checkDeclarations,
  50,
);

test("declarations that once broke the reader", async () => {
  for (const text of ["interface a{a:{[a:", 'interface a{"']) await checkDeclarations(text);
});
