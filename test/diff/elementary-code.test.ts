import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProtocols } from "../../diff/diff-protocols.js";
import { emitPackage } from "../../cli/index.js";
import { compile, withProject, writeFiles } from "../support/compile.js";
import type { Compiled, PayloadCase, Reader } from "../support/elementary-changes.js";
import { type Case, cases, caseName, payloads, validator } from "../support/elementary-payloads.js";

/**
 * Declares the message as a separate type. Its base accepts any payload and would hide the effect
 * of a change.
 */
function messageType(reader: Reader, payload: PayloadCase | undefined): string {
  const [kind, field] = reader === "adapter" ? ["request", "arguments"] : ["event", "body"];
  const name = reader === "adapter" ? `command: "put"` : `event: "got"`;
  const carried =
    payload === undefined
      ? ""
      : `${field}${payload.optional === true ? "?" : ""}: import("./types.js").Payload;`;
  return `export interface Message { seq: number; type: "${kind}"; ${name}; ${carried} }\n`;
}

/**
 * Creates one file for each kind of code, with old code and the new types. A file compiles if the
 * change does not affect it.
 */
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

test("verdicts on code match the table, and tsc agrees with them", async () => {
  await withProject(async (folder) => {
    const files = new Map<string, string>();
    for (const [index, each] of cases.entries()) {
      for (const [version, protocol, payload] of [
        ["old", each.before, each.change.before],
        ["new", each.after, each.change.after],
      ] as const) {
        files.set(`case-${index}/${version}/message.ts`, messageType(each.reader, payload));
        const own = `case-${index}/${version}`;
        files.set(`${own}/types.ts`, (await emitPackage(protocol)).get("types.ts")!);
      }
      for (const [path, text] of Object.entries(programs(each, `case-${index}`)))
        files.set(path, text);
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
      const seen = (kind: "producer" | "consumer"): Compiled => {
        const direct = fails.has(`${index} ${kind}-direct`);
        const whole = fails.has(`${index} ${kind}-whole`);
        return direct && whole ? "always" : direct ? "direct-use" : whole ? "whole-value" : "ok";
      };
      const [finding] = diffProtocols(each.before, each.after).findings;
      const compiledOf = (role: string): Compiled => {
        const { compiles, when } = finding!.source[role]!;
        return compiles ? "ok" : when!;
      };
      const writer = each.reader === "adapter" ? "client" : "adapter";
      const { producer, consumer } = each.change;
      assert.deepEqual(
        { producer: compiledOf(writer), consumer: compiledOf(each.reader) },
        { producer, consumer },
        caseName(each),
      );
      for (const [kind, stated] of [
        ["producer", producer],
        ["consumer", consumer],
      ] as const)
        if (stated !== "sometimes") assert.equal(seen(kind), stated, `${caseName(each)}: tsc`);
    });
  });
});
