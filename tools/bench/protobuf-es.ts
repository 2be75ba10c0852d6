/** Runs protobuf-es on messages that have the fields of a JSON Schema. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inPeers } from "../../test/support/paths.js";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The part of the `@bufbuild/protobuf` API that exchanges messages with the generator. */
interface Library {
  readonly create: (schema: unknown, message: object) => unknown;
  readonly toBinary: (schema: unknown, message: unknown) => Uint8Array;
  readonly fromBinary: (schema: unknown, bytes: Uint8Array) => unknown;
  readonly CodeGeneratorRequestSchema: unknown;
  readonly CodeGeneratorResponseSchema: unknown;
}

/** Type and label codes in a descriptor. */
const types = { boolean: 8, integer: 5, number: 1, string: 9, message: 11 } as const;
const labels = { optional: 1, repeated: 3 } as const;

/**
 * Creates message descriptors: one for each object definition, and one for each object in a
 * property.
 */
function messagesOf(definitions: Readonly<Record<string, Schema>>): readonly object[] {
  const messages: object[] = [];
  const propertiesOf = (schema: Schema): Readonly<Record<string, Schema>> =>
    Object.assign({}, ...(schema.allOf ?? []).map(propertiesOf), schema.properties, {
      ...(schema.$ref === undefined ? {} : propertiesOf(named(schema.$ref))),
    }) as Readonly<Record<string, Schema>>;
  const named = (ref: string): Schema => definitions[ref.replace("#/definitions/", "")]!;
  const isObject = (schema: Schema): boolean =>
    schema.properties !== undefined || schema.allOf !== undefined;
  const typeOf = (schema: Schema, name: string): { type: number; typeName?: string } => {
    if (schema.$ref !== undefined)
      return isObject(named(schema.$ref))
        ? { type: types.message, typeName: `.dap.${schema.$ref.replace("#/definitions/", "")}` }
        : { type: types.string };
    if (isObject(schema)) {
      add(name, schema);
      return { type: types.message, typeName: `.dap.${name}` };
    }
    const [type] = [schema.type ?? "string"].flat();
    return { type: types[type as keyof typeof types] ?? types.string };
  };
  const add = (name: string, schema: Schema): void => {
    const field = Object.entries(propertiesOf(schema)).map(([key, property], index) => ({
      name: key.replace(/^_+/, "own_"),
      jsonName: key,
      number: index + 1,
      label: property.items === undefined ? labels.optional : labels.repeated,
      ...typeOf(property.items ?? property, `${name}_${key.replace(/^_+/, "")}`),
    }));
    messages.push({ name, field });
  };
  for (const [name, schema] of Object.entries(definitions)) if (isObject(schema)) add(name, schema);
  return messages;
}

/** Writes `dap_pb.ts`. */
export async function generateProtobuf(definitions: object, out: string): Promise<void> {
  const protobuf = inPeers("@bufbuild/protobuf");
  const load = (path: string): Promise<object> =>
    import(pathToFileURL(join(protobuf, "dist/esm", path)).href) as Promise<object>;
  const library = { ...(await load("index.js")), ...(await load("wkt/index.js")) } as Library;
  const { create, toBinary, fromBinary } = library;
  const proto = {
    name: "dap.proto",
    package: "dap",
    syntax: "proto3",
    messageType: messagesOf(definitions as Readonly<Record<string, Schema>>),
  };
  const request = create(library.CodeGeneratorRequestSchema, {
    fileToGenerate: ["dap.proto"],
    parameter: "target=ts",
    protoFile: [proto],
    sourceFileDescriptors: [proto],
  });
  const output = execFileSync(
    process.execPath,
    [inPeers("@bufbuild/protoc-gen-es/bin/protoc-gen-es")],
    { input: toBinary(library.CodeGeneratorRequestSchema, request), maxBuffer: 1 << 26 },
  );
  const { error, file } = fromBinary(library.CodeGeneratorResponseSchema, output) as {
    readonly error: string;
    readonly file: readonly { readonly name: string; readonly content: string }[];
  };
  if (file.length === 0) throw new Error(`protoc-gen-es: ${error}`);
  for (const { name, content } of file) writeFileSync(join(out, name), content);
}
