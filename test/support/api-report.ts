/** Prints those declarations in a package that its users see. */
import { ts } from "ts-morph";
import { root } from "./paths.js";

/** Prints the declarations that a package's entry points export. */
export class ApiReport {
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
