import assert from "node:assert/strict";
import { test } from "node:test";
import AjvDraft04 from "ajv-draft-04";
import { rules } from "../../../generator/diff/compare/rules.js";
import { diffProtocols } from "../../../generator/diff/diff-protocols.js";
import type { Finding } from "../../../generator/diff/finding.js";
import { verdictOf } from "../../../generator/diff/verdicts.js";
import { emitPackage } from "../../../generator/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { compile, withFolder, writeFiles } from "../../../tools/shared/compile.js";
import { readSchema } from "../../support/diff-sources.js";
import {
  elementaryChanges,
  schemaWith,
  type Compiled,
  type ElementaryChange,
  type PayloadCase,
  type Reader,
  type Schema,
} from "../../../tools/shared/elementary-changes.js";

const readers: readonly Reader[] = ["adapter", "client"];
const pairs = ["new-client/old-adapter", "old-client/new-adapter"] as const;

/** Values that stand at `p`; whether they are valid is for ajv to say. */
const pool: readonly unknown[] = [
  "a",
  "b",
  "c",
  "other",
  0,
  1,
  1.5,
  -1,
  300,
  true,
  null,
  [],
  ["a"],
  {},
  { kind: "k1", x: "" },
  { kind: "k2", y: "" },
  { kind: "k3", z: "" },
  { kind: "k3", y: "" },
  ["c"],
  [1],
  [1, 1],
  [1, ""],
  [1, 1, 1],
  ["a", 1],
  ["a", 1.5],
  ["a", "b"],
  ["a", "c"],
  { x: "" },
  { y: "" },
  { x: "", z: "" },
];

const payloads: readonly unknown[] = [
  undefined,
  { q: "a" },
  ...["p", "line", "startLine"].flatMap((name) =>
    pool.flatMap((value) => [{ q: "a", [name]: value }, { [name]: value }]),
  ),
  { q: "a", other: true },
];

interface Case {
  readonly change: ElementaryChange;
  readonly reader: Reader;
  readonly before: Protocol;
  readonly after: Protocol;
}

const cases: readonly Case[] = await Promise.all(
  elementaryChanges.flatMap((change) =>
    readers.map(async (reader) => ({
      change,
      reader,
      before: await readSchema(schemaWith(change.before, reader)),
      after: await readSchema(schemaWith(change.after, reader)),
    })),
  ),
);

function name({ change, reader }: Case): string {
  return `${change.title}, read by the ${reader}`;
}

/** Compiled schemas, by their text: many cases have the same. */
const compiled = new Map<string, (value: unknown) => unknown>();

/** Checks a payload: as a writer sends it, as the schema has it, or with everything closed. */
function validator(
  payload: PayloadCase | undefined,
  how: "writer" | "schema" | "strict",
  extras: boolean,
): (value: unknown) => boolean {
  const isOpen = how === "schema" || (how === "writer" && extras);
  const schema = payload === undefined ? {} : prepared(payload.schema, !isOpen, how === "strict");
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? new AjvDraft04.default({ strict: false }).compile(schema);
  compiled.set(text, validate);
  return (value) => {
    if (payload === undefined) return value === undefined || how === "schema";
    return value === undefined ? payload.optional === true : validate(value) === true;
  };
}

function prepared(node: unknown, close: boolean, closeEnums: boolean): object {
  return JSON.parse(JSON.stringify(node), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const {
      _enum,
      default: _default,
      deprecated: _deprecated,
      // Says that others are meant, without an index signature.
      unevaluatedProperties: isOpen = false,
      ...rest
    } = value as Schema;
    return {
      ...rest,
      ...(closeEnums && _enum !== undefined ? { enum: _enum } : {}),
      ...(close && "properties" in rest && !("additionalProperties" in rest) && isOpen !== true
        ? { additionalProperties: false }
        : {}),
    };
  }) as object;
}

/** Whether a reader rejects anything that a writer may send. */
function rejects(
  writer: PayloadCase | undefined,
  reader: PayloadCase | undefined,
  policy: "schema" | "strict",
  extras: boolean,
): boolean {
  const [isWritten, isRead] = [
    validator(writer, "writer", extras),
    validator(reader, policy, extras),
  ];
  const sent = payloads.filter(isWritten);
  assert.ok(sent.length > 0, "the writer has nothing to send");
  return sent.some((value) => !isRead(value));
}

/** Which of the two ways a value takes when versions meet. */
function way(reader: Reader, pair: (typeof pairs)[number]): "oldToNew" | "newToOld" {
  return pair.includes(`new-${reader}`) ? "oldToNew" : "newToOld";
}

test("each elementary change is one finding of its rule", () => {
  for (const each of cases) {
    const { findings } = diffProtocols(each.before, each.after);
    assert.deepEqual(
      findings.map(({ id }) => id),
      each.change.ids,
      name(each),
    );
    assert.deepEqual(findings[0]!.receivers, [each.reader], name(each));
  }
});

test("every rule that one payload can show has an elementary change, or its mirror has one", () => {
  const shown = new Set(elementaryChanges.flatMap(({ ids }) => ids));
  const others = [...rules.values()].filter(
    ({ id, mirror, area }) =>
      !shown.has(id) && !shown.has(mirror) && !/^(message|wire|gate|capability)$/.test(area),
  );
  assert.deepEqual(
    others.map(({ id }) => id),
    [
      "prop.required-name-added",
      "prop.required-name-removed",
      "union.untagged-added",
      "union.untagged-removed",
      "constraint.changed",
      // Nobody can tell what a pattern does, so ajv and the verdict differ.
      "constraint.pattern-added",
      "constraint.pattern-removed",
      "constraint.pattern-changed",
      "constraint.format-changed",
      "condition.added",
      "condition.removed",
      "condition.changed",
      "default.added",
      "default.removed",
      "doc.normative",
    ],
  );
});

test("verdicts on the wire are those of the table, and ajv agrees with them", () => {
  for (const each of cases) {
    const { change, reader } = each;
    for (const policy of ["strict", "schema", "tolerant"] as const) {
      const [finding] = diffProtocols(each.before, each.after, { reader: policy }).findings;
      for (const pair of pairs) {
        const direction = way(reader, pair);
        const verdict = (finding as Finding).wire[pair];
        assert.equal(
          verdict,
          verdictOf(change[direction], policy),
          `${name(each)}: ${pair} ${policy}`,
        );
        if (policy === "tolerant") continue;
        const [writes, reads] =
          direction === "oldToNew" ? [change.before, change.after] : [change.after, change.before];
        assert.equal(
          rejects(writes, reads, policy, change.extras === true),
          verdict === "rejected",
          `${name(each)}: ajv on ${pair} ${policy}`,
        );
      }
    }
  }
});

test("whatever a reader rejects has a message that shows it, and ajv rejects it", () => {
  for (const policy of ["schema", "strict"] as const) {
    let shown = 0;
    for (const each of cases) {
      const { change, reader } = each;
      const [finding] = diffProtocols(each.before, each.after, { reader: policy }).findings;
      for (const pair of pairs) {
        const witness = finding!.witnesses.find((candidate) => candidate.pair === pair);
        const what = `${name(each)}: ${pair} ${policy}`;
        assert.equal(witness !== undefined, finding!.wire[pair] === "rejected", what);
        if (witness === undefined) continue;
        const direction = way(reader, pair);
        const field = reader === "adapter" ? "arguments" : "body";
        const value = (witness.message as Readonly<Record<string, unknown>>)[field];
        const [writes, reads] =
          direction === "oldToNew" ? [change.before, change.after] : [change.after, change.before];
        const extras = change.extras === true;
        assert.ok(validator(writes, "writer", extras)(value), `${what}: may be sent`);
        assert.ok(!validator(reads, policy, extras)(value), `${what}: is rejected`);
        shown++;
      }
    }
    assert.ok(shown > 0, policy);
  }
});

/** The message as a type of its own: bases that let anything in would hide what is measured. */
function messageType(reader: Reader, payload: PayloadCase | undefined): string {
  const [kind, field] = reader === "adapter" ? ["request", "arguments"] : ["event", "body"];
  const name = reader === "adapter" ? `command: "put"` : `event: "got"`;
  const carried =
    payload === undefined
      ? ""
      : `${field}${payload.optional === true ? "?" : ""}: import("./types.js").Payload;`;
  return `export interface Message { seq: number; type: "${kind}"; ${name}; ${carried} }\n`;
}

/** Old code against new types, a file per kind of code; a file that is not complained about compiles. */
function programs({ change, reader }: Case, folder: string): Readonly<Record<string, string>> {
  const message = "Message";
  const field = reader === "adapter" ? "arguments" : "body";
  const envelope =
    reader === "adapter"
      ? `seq: 1, type: "request", command: "put"`
      : `seq: 1, type: "event", event: "got"`;
  const isSent = validator(change.before, "writer", false);
  const known = Object.keys((change.before?.schema["properties"] as object | undefined) ?? {});
  const sent = payloads
    .filter(isSent)
    .filter((value) => Object.keys(value ?? {}).every((key) => known.includes(key)));
  const head = `import type * as Old from "./old/message.js";\nimport type * as New from "./new/message.js";\n`;
  const literal = (payload: unknown): string =>
    `{ ${envelope}${payload === undefined ? "" : `, ${field}: ${JSON.stringify(payload)}`} }`;
  const chain = change.before?.optional === true ? "?." : ".";
  const oldField = `NonNullable<Old.${message}["${field}"]>`;
  const missing = chain === "?." ? " | undefined" : "";
  const reads = known
    .map(
      (each) =>
        `  const ${each}: ${oldField}["${each}"]${missing} = value.${field}${chain}${each};\n  void ${each};\n`,
    )
    .join("");
  const branches = JSON.stringify(change.before?.schema ?? {}).includes('"kind"')
    ? ["k1", "k2", "k3"]
        .map((kind, index) =>
          JSON.stringify(change.before!.schema).includes(`"${kind}"`)
            ? `  if (value.${field}.p.kind === "${kind}") void value.${field}.p.${"xyz"[index]!};\n`
            : "",
        )
        .join("")
    : reads;
  return {
    [`${folder}/producer-direct.ts`]: `${head}${sent
      .map((value, index) => `export const value${index}: New.${message} = ${literal(value)};`)
      .join("\n")}\nexport type { Old };\n`,
    [`${folder}/producer-whole.ts`]: `${head}export function pass(value: Old.${message}): New.${message} {\n  return value;\n}\n`,
    [`${folder}/consumer-direct.ts`]: `${head}export function read(value: New.${message}): void {\n  void value;\n${branches}}\nexport type { Old };\n`,
    [`${folder}/consumer-whole.ts`]: `${head}export function pass(value: New.${message}): Old.${message} {\n  return value;\n}\n`,
  };
}

test("verdicts on code are those of the table, and tsc agrees with them", async () => {
  await withFolder(async (folder) => {
    const files = new Map<string, string>();
    for (const [index, each] of cases.entries()) {
      for (const [version, protocol, payload] of [
        ["old", each.before, each.change.before],
        ["new", each.after, each.change.after],
      ] as const) {
        files.set(`case-${index}/${version}/message.ts`, messageType(each.reader, payload));
        const own = `case-${index}/${version}`;
        for (const [path, text] of await emitPackage(protocol)) {
          if (path === "types.ts")
            files.set(`${own}/${path}`, text.replaceAll('"./runtime/', '"../../runtime/'));
          // All cases have one runtime.
          else if (path.startsWith("runtime/")) files.set(path, text);
        }
      }
      for (const [path, text] of Object.entries(programs(each, `case-${index}`)))
        files.set(path, text);
      for (const { role, text } of diffProtocols(each.before, each.after).findings[0]!.code)
        for (const version of ["old", "new"])
          files.set(
            `case-${index}/example-${role}-${version}.ts`,
            text.replace(/ from "[^"]+"/, ` from "./${version}/types.js"`),
          );
    }
    files.set(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          target: "es2022",
          module: "nodenext",
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          types: [],
        },
        include: ["case-*/*.ts"],
      }),
    );
    writeFiles(folder, files);
    const complaints = compile("TypeScript 7", "-p", folder);
    const fails = new Set(
      [...complaints.matchAll(/case-(\d+)\/([\w-]+)\.ts/g)].map(
        ([, index, file]) => `${index} ${file}`,
      ),
    );
    cases.forEach((each, index) => {
      const [example] = diffProtocols(each.before, each.after).findings;
      for (const [role, { compiles }] of Object.entries(example!.source)) {
        const shown = example!.code.find((code) => code.role === role);
        const what = `${name(each)}: an example for the ${role}: ${shown?.text}`;
        if ((shown === undefined) !== compiles) console.log("NONE", what, example!.id);
        if (shown === undefined) continue;
        assert.ok(
          !fails.has(`${index} example-${role}-old`),
          `${what} compiles with the old types`,
        );
        assert.ok(fails.has(`${index} example-${role}-new`), `${what} does not with the new ones`);
      }
      const seen = (kind: "producer" | "consumer"): Compiled => {
        const direct = fails.has(`${index} ${kind}-direct`);
        const whole = fails.has(`${index} ${kind}-whole`);
        return direct && whole ? "always" : direct ? "direct-use" : whole ? "whole-value" : "ok";
      };
      const [finding] = diffProtocols(each.before, each.after).findings;
      const said = (role: string): Compiled => {
        const { compiles, when } = finding!.source[role]!;
        return compiles ? "ok" : when!;
      };
      const writer = each.reader === "adapter" ? "client" : "adapter";
      const { producer, consumer } = each.change;
      assert.deepEqual(
        { producer: said(writer), consumer: said(each.reader) },
        { producer, consumer },
        name(each),
      );
      assert.deepEqual(
        { producer: seen("producer"), consumer: seen("consumer") },
        { producer, consumer },
        `${name(each)}: tsc`,
      );
    });
  });
});
