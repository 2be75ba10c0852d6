import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  Node,
  Project,
  type InterfaceDeclaration,
  type SourceFile,
  type TypeAliasDeclaration,
} from "ts-morph";
import { generate } from "../../../cli/index.js";
import { compile, withProject, writeFiles } from "../../support/compile.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";

type Schema = { readonly [key: string]: any };

/**
 * Measures how much of a schema is reflected in the generated types, according to the TypeScript
 * checker.
 */
async function measure(schemaPath: string) {
  const schema = JSON.parse(readFileSync(schemaPath, "utf8")) as Schema;
  const { files } = await generate("dap", { schema: schemaPath });
  const project = new Project({ useInMemoryFileSystem: true, compilerOptions: { strict: true } });
  for (const [path, text] of files) if (path.endsWith(".ts")) project.createSourceFile(path, text);
  const types = project.getSourceFileOrThrow("types.ts");
  return { schema, types, declarations: declarationsOf(types), text: flatten(types.getFullText()) };
}

function declarationsOf(
  file: SourceFile,
): ReadonlyMap<string, InterfaceDeclaration | TypeAliasDeclaration> {
  return new Map(
    [...file.getInterfaces(), ...file.getTypeAliases()].map((each) => [each.getName(), each]),
  );
}

/** Removes comment markers, line breaks and repeated blanks, which do not matter when comparing. */
function flatten(text: string): string {
  return text
    .replaceAll(/\n\s*\* ?/g, " ")
    .replaceAll("*\\/", "*/")
    .replaceAll(/\s+/g, " ");
}

function* nodesOf(node: unknown): Generator<Schema> {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) yield node as Schema;
  for (const child of Object.values(node)) yield* nodesOf(child);
}

function literalOf(
  declaration: InterfaceDeclaration | TypeAliasDeclaration,
  property: string,
): string {
  const symbol = declaration.getType().getPropertyOrThrow(property);
  return symbol.getTypeAtLocation(declaration).getText();
}

for (const { name, path, skip } of [
  { name: "the bundled 1.71.0", path: fromRoot("schema/dap/1.71.0.json"), skip: false },
  {
    name: "the published 1.71.0",
    path: shared("schemas/dap/1.71.0.json") ?? "",
    skip: skipWithout("schemas/dap/1.71.0.json"),
  },
] as const) {
  test(`the types of ${name} match its schema`, { skip }, async () => {
    const { schema, types, declarations, text } = await measure(path);
    // Message bases have different names in packages, because browsers define types with the
    // original names.
    const names = Object.keys(schema["definitions"]);
    const inPackage = (each: string): string =>
      /^(Request|Event|Response)$/.test(each) ? `${each}Message` : each;
    assert.deepEqual(
      names.filter((each) => !declarations.has(inPackage(each))),
      [],
      "names",
    );
    assert.equal(names.length, 192);
    assert.deepEqual(
      [...declarations.keys()].filter((each) => /\d$/.test(each)),
      [],
      "numbered duplicates",
    );
    const count = types.getInterfaces().length + types.getTypeAliases().length;
    assert.equal(declarations.size, count, "a name is declared twice");

    const descriptions = [...nodesOf(schema["definitions"])]
      .filter((node) => typeof node["description"] === "string")
      .map((node) => node["description"] as string);
    assert.deepEqual(
      descriptions.filter((each) => !text.includes(flatten(each).trim())),
      [],
      "descriptions",
    );
    assert.ok(descriptions.length > 600);
    const enumDocs = [...nodesOf(schema["definitions"])].flatMap(
      (node) => (node["enumDescriptions"] ?? []) as string[],
    );
    assert.deepEqual(
      enumDocs.filter((each) => !text.includes(flatten(each).trim())),
      [],
      "texts of enum values",
    );
    assert.equal(enumDocs.length, 52);

    const literals = names.flatMap((each) => {
      const own = schema["definitions"][each]["allOf"]?.[1]?.properties ?? {};
      return ["command", "event"]
        .filter((key) => own[key]?.enum?.length === 1)
        .map((key) => ({ each, key, want: JSON.stringify(own[key].enum[0]) }));
    });
    assert.equal(literals.length, 62);
    for (const { each, key, want } of literals)
      assert.equal(literalOf(declarations.get(inPackage(each))!, key), want, each);

    const openValues = [...nodesOf(schema["definitions"])].flatMap((node) =>
      Array.isArray(node["_enum"]) ? [node["_enum"] as string[]] : [],
    );
    assert.equal(openValues.flat().length, 67);
    const unions = types
      .getDescendants()
      .filter(Node.isUnionTypeNode)
      .map((node) => node.getTypeNodes().map((each) => each.getText()));
    const open = unions
      .filter((members) => members.at(-1) === "(string & {})")
      .map((members) =>
        JSON.stringify(members.slice(0, -1).map((each) => JSON.parse(each) as string)),
      );
    // Enums such as `Response.message` are listed once per use. Every enum in the schema must
    // occur.
    assert.deepEqual(
      openValues.filter((values) => !open.includes(JSON.stringify(values))),
      [],
      "open enums",
    );
    assert.equal(open.length, openValues.length);

    const signatures = types.getDescendants().filter(Node.isIndexSignatureDeclaration);
    // The dictionaries in the schema are `env`, `configuration` and `Message.variables`.
    assert.equal(signatures.length, 3, "stray index signatures");
    assert.equal(
      types.getDescendants().filter((node) => node.getKindName() === "AnyKeyword").length,
      0,
      "any",
    );
  });
}

const planted: Readonly<Record<string, readonly [code: string, complaint: RegExp | undefined]>> = {
  "a property that is misspelt": ['Source = { nmae: "a" }', /TS2561|TS2353/],
  "a command that is misspelt": [
    'NextRequest = { seq: 1, type: "request", command: "nxt", arguments: { threadId: 1 } }',
    /TS2322|TS2820/,
  ],
  "a required property that is misspelt": ["Breakpoint = { verfied: true }", /TS2561|TS2353/],
  "a legal value of an open enum": [
    'StoppedEvent = { seq: 1, type: "event", event: "stopped", body: { reason: "vendor" } }',
    undefined,
  ],
};

test("planted mistakes are found, but an unlisted value of an open enum is not a mistake", async () => {
  const { files } = await generate("dap", { packageName: "x" });
  await withProject((folder) => {
    writeFiles(folder, files);
    Object.values(planted).forEach(([code], index) =>
      writeFiles(folder, {
        [`planted-${index}.ts`]: `import type * as dap from "./index.js";\nexport const it: dap.${code};\n`,
      }),
    );
    const complaints = compile("TypeScript 7", "-p", folder, "--noEmit").split(/\n(?=\S)/);
    Object.entries(planted).forEach(([what, [, complaint]], index) => {
      const file = `planted-${index}.ts`;
      const own = complaints.filter((each) => each.includes(file)).join("\n");
      if (complaint === undefined) assert.equal(own, "", what);
      else assert.match(own, complaint, what);
    });
    assert.deepEqual(
      complaints.filter((each) => !/planted-\d\.ts/.test(each) && each.trim() !== ""),
      [],
    );
  });
});
