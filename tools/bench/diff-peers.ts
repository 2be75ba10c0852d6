/** Compares two versions of DAP with other schema comparison tools. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definitionsByName, flattenProperties } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Type } from "../../generator/model/types.js";
import { fromRoot } from "../../test/support/paths.js";
import type { Schema } from "./enlarged-schema.js";

export interface Versions {
  readonly schemas: readonly [Schema, Schema];
  readonly protocols: readonly [Protocol, Protocol];
}

export interface DiffPeer {
  readonly name: string;
  /** The number of findings, or the reason why there are none. */
  compare(versions: Versions): number | string | Promise<number | string>;
}

const folder = fromRoot("tools/bench/diff-peers");

/** The other comparison tools. `npm --prefix tools/bench/diff-peers ci` installs them. */
export const diffPeers: readonly DiffPeer[] = existsSync(join(folder, "node_modules"))
  ? [
      { name: "json-schema-diff", compare: jsonSchemaDiff },
      { name: "json-schema-diff-validator", compare: jsonSchemaDiffValidator },
      { name: "@asyncapi/diff", compare: asyncapiDiff },
      { name: "buf breaking", compare: bufBreaking },
    ]
  : [];

const load = <Module>(name: string): Module =>
  createRequire(join(folder, "package.json"))(name) as Module;

async function jsonSchemaDiff({ schemas }: Versions): Promise<string> {
  const { diffSchemas } = load<{
    diffSchemas(of: object): Promise<{ additionsFound: boolean; removalsFound: boolean }>;
  }>("json-schema-diff");
  const [sourceSchema, destinationSchema] = schemas;
  try {
    const found = await diffSchemas({ sourceSchema, destinationSchema });
    return found.additionsFound || found.removalsFound ? "a change" : "no change";
  } catch (error) {
    return `fails: ${(error as Error).message.replace(/at .*\/#/, "at #")}`;
  }
}

function jsonSchemaDiffValidator({ schemas }: Versions): number {
  const { validateSchemaCompatibility } = load<{
    validateSchemaCompatibility(before: object, after: object): void;
  }>("json-schema-diff-validator");
  try {
    validateSchemaCompatibility(structuredClone(schemas[0]), structuredClone(schemas[1]));
    return 0;
  } catch (error) {
    const { actual } = error as { actual?: number | readonly unknown[] };
    return typeof actual === "number" ? actual : (actual?.length ?? 1);
  }
}

function asyncapiDiff({ schemas }: Versions): number {
  const { diff } = load<{
    diff(before: object, after: object): { getOutput(): { changes: readonly unknown[] } };
  }>("@asyncapi/diff");
  const document = ({ definitions }: Schema): object => ({
    asyncapi: "2.6.0",
    info: { title: "DAP", version: "1" },
    channels: {},
    components: { schemas: definitions },
  });
  return diff(document(schemas[0]), document(schemas[1])).getOutput().changes.length;
}

/** buf compares Protocol Buffers definitions, so both versions are converted first. */
function bufBreaking({ protocols }: Versions): number | string {
  const work = mkdtempSync(join(tmpdir(), "wirewright-buf-"));
  try {
    const numbers = new Map<string, number>();
    protocols.forEach((protocol, index) => {
      mkdirSync(join(work, String(index)));
      writeFileSync(join(work, String(index), "dap.proto"), protoText(protocol, numbers));
    });
    const { stdout, stderr } = spawnSync(
      join(folder, "node_modules/.bin/buf"),
      ["breaking", "1", "--against", "0", "--error-format", "json"],
      { cwd: work, encoding: "utf8", maxBuffer: 1e8 },
    );
    return stdout === "" && stderr !== ""
      ? `fails: ${stderr.trim().split("\n")[0]}`
      : stdout.split("\n").filter((line) => line.startsWith("{")).length;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function protoText(protocol: Protocol, numbers: Map<string, number>): string {
  const definitions = definitionsByName(protocol);
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    // With fewer than 19,000 names, no number falls into the reserved range of 19,000 to 19,999.
    const next = known ?? numbers.size + 1;
    numbers.set(name, next);
    return next;
  };
  const messages = protocol.definitions.flatMap(({ name, type }) => {
    if (type.kind !== "object") return [];
    const fields = flattenProperties(definitions, type).map(
      (property) =>
        `  ${protoType(definitions, property.type)} ${property.name} = ${numberOf(`${name}.${property.name}`)};`,
    );
    return [`message ${name} {\n${fields.join("\n")}\n}`];
  });
  return `syntax = "proto3";\npackage dap;\nimport "google/protobuf/struct.proto";\n${messages.join("\n")}\n`;
}

function protoType(definitions: ReturnType<typeof definitionsByName>, type: Type): string {
  switch (type.kind) {
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "number":
      return "double";
    case "integer":
      return type.format ?? "int64";
    case "enum":
    case "literal":
      return "string";
    case "array": {
      const item = protoType(definitions, type.items);
      return item.startsWith("repeated") ? "google.protobuf.ListValue" : `repeated ${item}`;
    }
    case "reference": {
      const target = definitions.get(type.name)!.type;
      return target.kind === "object" ? type.name : protoType(definitions, target);
    }
    default:
      return "google.protobuf.Value";
  }
}
