import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { ts } from "ts-morph";
import { fromRoot } from "./support/paths.js";

const packages = readdirSync(fromRoot("generated"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Source files of a package that people import, by the name under which they do. */
function entriesOf(name: string): readonly (readonly [entry: string, path: string])[] {
  const { exports } = JSON.parse(
    readFileSync(fromRoot(`generated/${name}/package.json`), "utf8"),
  ) as { exports: Readonly<Record<string, unknown>> };
  return Object.keys(exports)
    .filter((entry) => entry !== "./package.json")
    .map((entry) => [
      entry,
      fromRoot(`generated/${name}/${entry === "." ? "index" : entry.slice("./".length)}.ts`),
    ]);
}

const program = ts.createProgram(
  packages.flatMap((name) => entriesOf(name).map(([, path]) => path)),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: ["node"],
    typeRoots: [fromRoot("node_modules/@types")],
  },
);
const checker = program.getTypeChecker();

/** What can be done with an exported name: `type`, `value`, or both, as with a class. */
function kindOf(exported: ts.Symbol): string {
  let symbol = exported;
  let isOnlyType = false;
  while ((symbol.flags & ts.SymbolFlags.Alias) !== 0) {
    isOnlyType ||= (symbol.declarations ?? []).some(ts.isTypeOnlyExportDeclaration);
    symbol = checker.getImmediateAliasedSymbol(symbol)!;
  }
  const isType = (symbol.flags & ts.SymbolFlags.Type) !== 0;
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0 && !isOnlyType;
  const isNamespace = (symbol.flags & ts.SymbolFlags.NamespaceModule) !== 0;
  const kinds = [
    ...(isType || (isOnlyType && !isNamespace) ? ["type"] : []),
    ...(isValue ? ["value"] : []),
    ...(isNamespace ? ["namespace"] : []),
  ];
  assert.notDeepEqual(kinds, [], exported.name);
  return kinds.join(" and ");
}

function exportsOf(path: string): readonly string[] {
  const source = program.getSourceFile(path);
  assert.ok(source !== undefined, path);
  const lines = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .map((symbol) => `${symbol.name}: ${kindOf(symbol)}`);
  return lines.sort();
}

for (const name of packages) {
  test(`${name} exports the names of its golden file: set UPDATE_GOLDEN to write it`, () => {
    const path = fromRoot(`test/golden/exports-${name}.txt`);
    const text = entriesOf(name)
      .map(([entry, file]) => [`# ${entry}`, "", ...exportsOf(file), ""].join("\n"))
      .join("\n");
    if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(path, text);
    assert.deepEqual(text.split("\n"), readFileSync(path, "utf8").split("\n"));
  });
}
