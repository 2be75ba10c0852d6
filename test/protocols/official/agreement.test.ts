/**
 * Protocols that others maintain, at fixed versions: each generates a package that compiles and
 * agrees with ajv about every definition, or is refused with a true sentence.
 *
 * Files come from the folder next to the project or from installed packages. `OFFICIAL_SCHEMAS` may
 * name a folder with others: `a2a.json` (0.3.0), `codex.json` (0.171.0) and `webkit/*.json`.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { emitPackage, type ReadOptions } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Definition, Json } from "../../../generator/model/types.js";
import { readProtocolSource } from "../../../generator/read/read-protocol.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { withProject, writeFiles } from "../../support/compile.js";
import { compileStrictly, sourceCompilers } from "../../support/compilers.js";
import { bundledDap } from "../../support/dap-versions.js";
import { isLong } from "../../support/long-tests.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, shared } from "../../support/paths.js";
import { Sampler } from "../../support/sample-values.js";

interface Official {
  readonly name: string;
  /** Name or path of the description. */
  readonly protocol: string;
  readonly version?: string;
  readonly schema?: readonly string[] | undefined;
}

const outside = process.env["OFFICIAL_SCHEMAS"];

/** Returns the paths of files in the folder that `OFFICIAL_SCHEMAS` names, if they exist. */
function given(...names: readonly string[]): readonly string[] | undefined {
  const paths = names.map((name) => join(outside ?? "", name));
  return outside !== undefined && paths.every((path) => existsSync(path)) ? paths : undefined;
}

const published = (...names: readonly string[]): readonly string[] | undefined => {
  const paths = names.flatMap((name) => shared(`schemas/${name}`) ?? []);
  return paths.length === names.length ? paths : undefined;
};

const webkit = join(outside ?? "", "webkit");
const described = (name: string): string => fromRoot(`test/fixtures/official/${name}`);
const sdk = (version: string): readonly string[] | undefined => {
  const path = fromRoot(`node_modules/@agentclientprotocol/sdk/schema/${version}/schema.json`);
  return existsSync(path) ? [path] : undefined;
};

const officials: readonly Official[] = [
  ...(isLong ? bundledDap : bundledDap.slice(-1)).map((version) => ({
    name: `DAP ${version}`,
    protocol: "dap",
    version,
  })),
  { name: "LSP 3.18", protocol: "lsp", schema: published("lsp/metaModel.json") },
  ...["2025-06-18", "2025-11-25", "2026-07-28"].map((version) => ({
    name: `MCP ${version}`,
    protocol: "mcp",
    schema: published(`mcp/${version}.json`),
  })),
  {
    name: "CDP",
    protocol: "cdp",
    schema: published("cdp/browser_protocol.json", "cdp/js_protocol.json"),
  },
  { name: "ACP 1", protocol: "acp", version: "1" },
  { name: "ACP 2", protocol: "acp", version: "2" },
  ...["v1", "v2"].map((version) => ({
    name: `ACP ${version} of the SDK`,
    protocol: "acp",
    schema: sdk(version),
  })),
  { name: "A2A 0.3.0", protocol: described("a2a"), schema: given("a2a.json") },
  { name: "Codex app-server 0.171.0", protocol: described("codex"), schema: given("codex.json") },
  {
    name: "WebKit's inspector",
    protocol: "cdp",
    schema: existsSync(webkit)
      ? given(...readdirSync(webkit).map((name) => `webkit/${name}`))
      : undefined,
  },
];

const odd: readonly Json[] = [null, 5, 1.5, "a", true, [], {}];

/** Returns a value with each property removed or replaced in turn, down to a depth of two. */
function* variants(value: Json, depth = 2): Generator<Json> {
  yield value;
  if (typeof value !== "object" || value === null || depth === 0) return;
  if (Array.isArray(value)) {
    for (const each of odd) yield [each];
    return;
  }
  const fields = value as { readonly [name: string]: Json };
  for (const [name, part] of Object.entries(fields)) {
    const { [name]: _, ...rest } = fields;
    yield rest;
    for (const each of [...odd, ...variants(part, depth - 1)]) yield { ...rest, [name]: each };
  }
}

/** The ranges of the formats that validators check. */
const ranges: Readonly<Record<string, readonly [least: number, most: number]>> = {
  uint8: [0, 2 ** 8 - 1],
  uint16: [0, 2 ** 16 - 1],
  uint32: [0, 2 ** 32 - 1],
  uint64: [0, 2 ** 64],
  uint: [0, 2 ** 64],
  int8: [-(2 ** 7), 2 ** 7 - 1],
  int16: [-(2 ** 15), 2 ** 15 - 1],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [-(2 ** 63), 2 ** 63],
};

/** Returns ajv's check of the part of a schema that a pointer leads to. */
function ajvChecks(root: Json): (pointer: string) => ValidateFunction {
  const { $defs, definitions } = root as { readonly [key: string]: Json };
  const options = { strict: false, validateSchema: false, logger: false } as const;
  const ajv = $defs === undefined ? new Ajv(options) : new Ajv2020(options);
  for (const [name, [least, most]] of Object.entries(ranges))
    ajv.addFormat(name, { type: "number", validate: (value) => value >= least && value <= most });
  ajv.addSchema($defs === undefined ? { definitions } : { $defs }, "root");
  return (pointer) => ajv.getSchema(`root#${pointer}`)!;
}

/** Lists the definitions that are in the schema, except messages, which the envelope defines. */
function schemaDefinitions({ definitions, messages, bases }: Protocol, root: Json): Definition[] {
  const wire = new Set<unknown>([
    ...Object.values(bases),
    ...messages.flatMap((message) => [
      message.definition,
      message.kind === "request" ? message.responseDefinition : undefined,
    ]),
  ]);
  const pointers = new Set<string>();
  return definitions.filter(({ name, pointer = "" }) => {
    // An alternative of a union that became a definition has the location of its union.
    const isFirst = pointers.size < pointers.add(pointer).size;
    return isFirst && !wire.has(name) && isPart(root, pointer);
  });
}

function isPart(root: Json, pointer: string): boolean {
  const keys = parsePointer(pointer);
  if (!["definitions", "$defs"].includes(keys[0] ?? "")) return false;
  let part: unknown = root;
  for (const key of keys) part = (Object(part) as Record<string, unknown>)[key];
  return part !== undefined;
}

/** Definitions about which we and ajv disagree, with the reason. */
const disagreements: Readonly<Record<string, string>> = {
  // Two alternatives of `oneOf` overlap, and the description says that a value may match both.
  "DAP RestartArguments": "overlapping",
};

const samples = isLong ? 1_000 : 100;

for (const { name: title, protocol: described, version, schema } of officials)
  test(
    `${title} generates, compiles and agrees with ajv`,
    {
      skip:
        version === undefined && schema === undefined
          ? "needs its schema: see the comment at the top of this file"
          : false,
    },
    async (t) => {
      const options: ReadOptions = {
        ...(version === undefined ? {} : { version }),
        ...(schema === undefined ? {} : { schema: [...schema] }),
      };
      const source = await readProtocolSource(described, options);
      const { protocol } = source;
      const files = await emitPackage(protocol);
      await withProject((folder) => {
        writeFiles(folder, files);
        for (const compiler of sourceCompilers.filter((each) => each.version === "7"))
          assert.equal(compileStrictly(compiler, folder, [...files.keys()]), "");
      });
      const own = await loadPackage({ protocol, files });
      const checkOf = ajvChecks(source.schema.value);
      const definitions = schemaDefinitions(protocol, source.schema.value);
      const differences = new Map<string, string>();
      const verdicts = { valid: 0, invalid: 0 };
      for (const [index, { name, pointer }] of definitions.entries()) {
        if (`${title.split(" ")[0]} ${name}` in disagreements) continue;
        const isValid = own[`isValid${name}`] as ((value: unknown) => boolean) | undefined;
        assert.ok(isValid, name);
        const conforms = checkOf(pointer!);
        const sampler = new Sampler(protocol, index);
        let count = 0;
        for (let round = 0; count < samples && round < samples; round++)
          for (const value of variants(
            sampler.sample(name, (["least", "some", "all"] as const)[round % 3]!) as Json,
          )) {
            if (++count > samples) break;
            const valid = isValid(value);
            verdicts[valid ? "valid" : "invalid"]++;
            if (valid !== conforms(value))
              differences.set(name, `${valid ? "only we" : "only ajv"}: ${JSON.stringify(value)}`);
          }
      }
      t.diagnostic(
        `${protocol.messages.length} messages, ${definitions.length} definitions, ${JSON.stringify(verdicts)}`,
      );
      assert.deepEqual(Object.fromEntries(differences), {});
      assert.ok(verdicts.valid > definitions.length && verdicts.invalid > definitions.length);
    },
  );
