/**
 * Protocols that others maintain, at fixed versions: each generates a package that compiles and
 * agrees with ajv about every definition, or is refused with a true sentence.
 *
 * Files come from the folder next to the project and from installed packages. `OFFICIAL_SCHEMAS` may
 * name a folder with more. It has a folder for each protocol, named like one in `given`, and there a
 * file for each version, such as `lsp/3.17.json`, or a folder if a version has several files.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { emitPackage, InputError, type ReadOptions } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Definition, Json } from "../../../generator/model/types.js";
import { readProtocolSource, type ProtocolSource } from "../../../generator/read/read-protocol.js";
import { parsePointer } from "../../../runtime/base/json-pointer.js";
import { writeFiles } from "../../support/compile.js";
import { sourceCompilers } from "../../support/compilers.js";
import { bundledDap } from "../../support/dap-versions.js";
import { shownFiles } from "../../support/guide-programs.js";
import { JointCompilation } from "../../support/joint-compilation.js";
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

/** Protocols that `OFFICIAL_SCHEMAS` may have a folder for, with their descriptions. */
const given: Readonly<Record<string, string>> = {
  acp: "acp",
  cdp: "cdp",
  dap: "dap",
  lsp: "lsp",
  mcp: "mcp",
  a2a: fromRoot("test/fixtures/official/a2a"),
  codex: fromRoot("test/fixtures/official/codex"),
  openrpc: openRpc(),
};

/** Writes the reader and the description that the guide shows for OpenRPC. Returns their folder. */
function openRpc(): string {
  const folder = mkdtempSync(join(tmpdir(), "openrpc-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  writeFiles(folder, shownFiles("docs/guides/own-reader.md"));
  const path = join(folder, "petstore/protocol.json");
  const description = JSON.parse(readFileSync(path, "utf8")) as { readonly schema: object };
  const schema = { ...description.schema, untyped: "exact" };
  writeFileSync(path, JSON.stringify({ ...description, schema }));
  return join(folder, "petstore");
}

/** Lists the versions in a protocol's folder. Without the folder, there is one that is skipped. */
function versionsOf(protocol: string, folder: string): readonly Official[] {
  if (!existsSync(folder)) return [{ name: `${protocol} of other sources`, protocol }];
  return readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return {
      name: `${protocol} ${basename(entry.name, ".json")}`,
      protocol: given[protocol]!,
      schema: entry.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path],
    };
  });
}

const published = (...names: readonly string[]): readonly string[] | undefined => {
  const paths = names.flatMap((name) => shared(`schemas/${name}`) ?? []);
  return paths.length === names.length ? paths : undefined;
};

const sdk = (version: string): readonly string[] | undefined => {
  const path = fromRoot(`node_modules/@agentclientprotocol/sdk/schema/${version}/schema.json`);
  return existsSync(path) ? [path] : undefined;
};

const officials: readonly Official[] = [
  ...(isLong ? bundledDap : bundledDap.slice(-1)).map((version) => ({
    name: `dap ${version}`,
    protocol: "dap",
    version,
  })),
  { name: "lsp", protocol: "lsp", schema: published("lsp/metaModel.json") },
  ...["2025-06-18", "2025-11-25", "2026-07-28"].map((version) => ({
    name: `mcp ${version}`,
    protocol: "mcp",
    schema: published(`mcp/${version}.json`),
  })),
  {
    name: "cdp",
    protocol: "cdp",
    schema: published("cdp/browser_protocol.json", "cdp/js_protocol.json"),
  },
  { name: "acp 1", protocol: "acp", version: "1" },
  { name: "acp 2", protocol: "acp", version: "2" },
  ...["v1", "v2"].map((version) => ({
    name: `acp ${version} of the SDK`,
    protocol: "acp",
    schema: sdk(version),
  })),
  ...Object.keys(given).flatMap((protocol) =>
    versionsOf(protocol, join(process.env["OFFICIAL_SCHEMAS"] ?? "../no-folder", protocol)),
  ),
];

const outside = (definition: string): string =>
  `Cannot follow "./api/starknet_api_openrpc.json#/components/schemas/${definition}": a reference must refer to the same file`;

/** Versions that cannot be read, each with the first fault. */
const refused: Readonly<Record<string, string>> = {
  "acp 0.5.0": 'Cannot omit "AgentRequest": "AgentOutgoingMessage" references it',
  "acp 0.4.5": 'Cannot find the definition "Error" that the description names at /messages/error',
  "openrpc starknet_executables": outside("FELT"),
  "openrpc starknet_proving_api_openrpc": outside("BLOCK_ID").replace("./api", "../api"),
  "openrpc starknet_trace_api_openrpc": outside("ADDRESS"),
  "openrpc starknet_wallet_rpc": outside("FELT"),
  "openrpc starknet_write_api": outside("NUM_AS_HEX"),
  "openrpc starknet_ws_api": outside("FELT"),
};

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
  "dap RestartArguments": "overlapping",
};

/** Returns the part of a schema that a definition's validity depends on, as text. */
function closure(root: Json, pointer: string): string {
  const parts = new Map<string, string>();
  const pending = [pointer];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (parts.has(next)) continue;
    let part: unknown = root;
    for (const key of parsePointer(next)) part = Object(part)[key] as unknown;
    const text = JSON.stringify(part, (key, value: unknown) => {
      if (key === "$ref" && typeof value === "string") pending.push(value.slice(1));
      return key === "description" && typeof value === "string" ? undefined : value;
    });
    parts.set(next, text);
  }
  return JSON.stringify([...parts].sort());
}

const samples = isLong ? 1_000 : 100;

/** Definitions that were compared in an earlier version of a protocol. */
const compared = new Set<string>();

const compilation = new JointCompilation(sourceCompilers.filter(({ version }) => version === "7"));

for (const { name: title, protocol: described, version, schema } of officials)
  test(
    `${title} generates and agrees with ajv, or is refused`,
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
      let source: ProtocolSource;
      try {
        source = await readProtocolSource(described, options);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        assert.equal(error.message, refused[title]);
        return;
      }
      assert.equal(refused[title], undefined);
      const { protocol } = source;
      const files = await emitPackage(protocol);
      await compilation.add(title, files);
      const own = await loadPackage({ protocol, files });
      const root = source.schema.value;
      const checkOf = ajvChecks(root);
      const definitions = schemaDefinitions(protocol, root);
      const differences = new Map<string, string>();
      const verdicts = { valid: 0, invalid: 0 };
      const different = new Set<string>();
      for (const [index, { name, pointer }] of definitions.entries()) {
        if (`${title.split(" ")[0]} ${name}` in disagreements) continue;
        const isValid = own[`isValid${name}`] as ((value: unknown) => boolean) | undefined;
        assert.ok(isValid, name);
        const key = `${described} ${closure(root, pointer!)}`;
        if (compared.has(key)) continue;
        compared.add(key);
        different.add(name);
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
        `${protocol.messages.length} messages, ${definitions.length} definitions, ${different.size} of them compared, ${JSON.stringify(verdicts)}`,
      );
      assert.deepEqual(Object.fromEntries(differences), {});
      assert.ok(verdicts.valid >= different.size && verdicts.invalid >= different.size);
    },
  );

test("the packages of all versions that are not refused compile", async (t) => {
  await compilation.end();
  t.diagnostic(`${compilation.packages} packages`);
});
