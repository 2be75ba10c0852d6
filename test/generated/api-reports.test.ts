/** Compares the declarations that a package's users see with the reports in `test/golden/api`. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot, root } from "../support/paths.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";
import { ts } from "ts-morph";

/** Prints the declarations that a package's entry points export. */
class ApiReport {
  readonly #checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #printer = ts.createPrinter({ removeComments: true });
  /** For each declaration, the entry point it was printed under. */
  readonly #printed = new Map<ts.Symbol, string>();

  /** @param files Declaration files of the entry points. */
  constructor(files: readonly string[]) {
    this.#program = ts.createProgram([...files], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
      types: ["node"],
      typeRoots: [`${root}node_modules/@types`],
    });
    this.#checker = this.#program.getTypeChecker();
  }

  /**
   * Prints an entry point's exports by name, each with its declarations, as well as types that they
   * use but that are not exported. Declarations already printed for an earlier entry point are
   * replaced with references.
   */
  ofEntry(entry: string, file: string): string {
    const module = this.#checker.getSymbolAtLocation(this.#program.getSourceFile(file)!)!;
    const exported = this.#checker.getExportsOfModule(module);
    const own = new Set(exported.flatMap((each) => this.#membersOf(this.#resolve(each))));
    const lines = exported
      .map((symbol) => this.#line(symbol, entry))
      .sort((a, b) => (a < b ? -1 : 1));
    const used = this.#usedBy([...own], new Set(own))
      .filter((symbol) => !this.#printed.has(symbol))
      .map((symbol) => this.#declaration(symbol, entry))
      .sort();
    const hidden = used.length === 0 ? [] : ["// Not exported", ...used];
    return `${[`// ${entry}`, ...lines, ...hidden].join("\n\n")}\n`;
  }

  #line(symbol: ts.Symbol, entry: string): string {
    const target = this.#resolve(symbol);
    const other = this.#printed.get(target);
    const kind = this.#isOnlyType(symbol) ? "export type" : "export";
    if (other !== undefined) return `${kind} { ${symbol.name} } from "${other}";`;
    const renamed = target.name === symbol.name ? "" : ` as ${symbol.name}`;
    if (isModule(target)) {
      const members = this.#membersOf(target).map((each) => this.#declaration(each, entry));
      return [`export type * as ${symbol.name};`, ...members].join("\n\n");
    }
    return `${kind} { ${target.name}${renamed} };\n${this.#declaration(target, entry)}`;
  }

  #declaration(symbol: ts.Symbol, entry: string): string {
    this.#printed.set(symbol, entry);
    return declarationsOf(symbol)
      .map((node) => this.#printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()))
      .map((text) => text.replaceAll(/^ +(#private|private (?!constructor).*);\n/gm, ""))
      .join("\n");
  }

  /** Finds the declarations in the package that the symbols reference, directly or indirectly. */
  #usedBy(symbols: readonly ts.Symbol[], known: Set<ts.Symbol>): readonly ts.Symbol[] {
    const found: ts.Symbol[] = [];
    const visit = (node: ts.Node): void => {
      const symbol = ts.isIdentifier(node) ? this.#checker.getSymbolAtLocation(node) : undefined;
      if (symbol !== undefined) {
        const target = this.#resolve(symbol);
        const isDeclared = target.declarations?.some(
          (each) =>
            !ts.isSourceFile(each) &&
            ts.isSourceFile(declarationOf(each).parent) &&
            !each.getSourceFile().fileName.includes("node_modules"),
        );
        if (isDeclared === true && !known.has(target)) {
          known.add(target);
          found.push(target);
        }
      }
      ts.forEachChild(node, visit);
    };
    for (const symbol of symbols) declarationsOf(symbol).forEach(visit);
    return found.length === 0 ? found : [...found, ...this.#usedBy(found, known)];
  }

  #resolve(symbol: ts.Symbol): ts.Symbol {
    return (symbol.flags & ts.SymbolFlags.Alias) === 0
      ? symbol
      : this.#checker.getAliasedSymbol(symbol);
  }

  /** Returns a namespace's exports, sorted by name. Any other declaration is returned unchanged. */
  #membersOf(symbol: ts.Symbol): readonly ts.Symbol[] {
    if (!isModule(symbol)) return [symbol];
    return this.#checker
      .getExportsOfModule(symbol)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((each) => this.#resolve(each));
  }

  #isOnlyType(exported: ts.Symbol): boolean {
    let symbol = exported;
    while ((symbol.flags & ts.SymbolFlags.Alias) !== 0) {
      if ((symbol.declarations ?? []).some(ts.isTypeOnlyExportDeclaration)) return true;
      symbol = this.#checker.getImmediateAliasedSymbol(symbol)!;
    }
    return (symbol.flags & ts.SymbolFlags.Value) === 0;
  }
}

/** Returns whether the symbol is a namespace exported with `export * as`. */
function isModule(symbol: ts.Symbol): boolean {
  return symbol.declarations?.some(ts.isSourceFile) === true;
}

function declarationsOf(symbol: ts.Symbol): readonly ts.Node[] {
  return [...new Set((symbol.declarations ?? []).map(declarationOf))];
}

/** Returns the statement that declares a variable. Other declarations are statements themselves. */
function declarationOf(node: ts.Node): ts.Node {
  return ts.isVariableDeclaration(node) ? node.parent.parent : node;
}

for (const name of packagedProtocols) {
  const folder = fromRoot(`test/golden/api/${name}`);

  test(`${name} has the declarations listed in its reports (UPDATE_GOLDEN=1 updates them)`, () => {
    const entries = [...entryPoints(name)].map(([entry, path]): [string, string] => [
      entry,
      fromRoot(`build/${path}.d.ts`),
    ]);
    const report = new ApiReport(entries.map(([, file]) => file));
    const texts = entries.map(([entry, file]): [string, string] => [
      `${entry}.txt`,
      report.ofEntry(entry, file),
    ]);
    if (process.env["UPDATE_GOLDEN"] !== undefined) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [file, text] of texts) writeFileSync(`${folder}/${file}`, text);
    }
    assert.ok(existsSync(folder), `${folder} is missing`);
    assert.deepEqual(readdirSync(folder).sort(), texts.map(([file]) => file).sort());
    for (const [file, text] of texts)
      assert.deepEqual(text.split("\n"), readFileSync(`${folder}/${file}`, "utf8").split("\n"));
  });
}

test("the tool has the declarations listed in its report and exports the types in its signatures", () => {
  const golden = fromRoot("test/golden/api/wirewright.txt");
  const file = fromRoot("build/cli/index.d.ts");
  const text = new ApiReport([file]).ofEntry("index", file);
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, text);
  assert.deepEqual(text.split("\n"), readFileSync(golden, "utf8").split("\n"));
  const [, hidden = ""] = text.split("// Not exported\n");
  // The declaration of a type derived from a value contains the name of that value.
  const names = hidden.matchAll(
    /^(?:export )?(?:declare )?(?:interface|type|class|function) (\w+)/gm,
  );
  assert.deepEqual(
    [...names].map(([, name]) => name),
    [],
  );
});

test("an API report lists signatures, marks type-only exports and lists the types that exports use", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "index.d.ts":
        'import { Shape } from "./shapes.js";\n' +
        'export { type Hidden, Shape as Form } from "./shapes.js";\n' +
        "/** Documented. */\nexport declare function area(of: Shape, ...more: Extra[]): number;\n" +
        "interface Extra { readonly size: number }\n",
      "shapes.d.ts":
        "export declare class Shape { #private; private kept; readonly sides: number; }\n" +
        "export declare class Hidden { private constructor(); }\n",
      "node.d.ts": 'export { area } from "./index.js";\nexport declare const one: 1;\n',
    });
    const report = new ApiReport([`${folder}/index.d.ts`, `${folder}/node.d.ts`]);
    assert.deepEqual(report.ofEntry("index", `${folder}/index.d.ts`).split("\n\n"), [
      "// index",
      "export type { Hidden };\nexport declare class Hidden {\n    private constructor();\n}",
      "export { Shape as Form };\nexport declare class Shape {\n    readonly sides: number;\n}",
      "export { area };\nexport declare function area(of: Shape, ...more: Extra[]): number;",
      "// Not exported",
      "interface Extra {\n    readonly size: number;\n}\n",
    ]);
    assert.deepEqual(report.ofEntry("node", `${folder}/node.d.ts`).split("\n\n"), [
      "// node",
      'export { area } from "index";',
      "export { one };\nexport declare const one: 1;\n",
    ]);
  });
});
