/**
 * Counts a protocol's published types that are assignable to ours, and vice versa:
 * `npm run compare:types`. Prints the differences and writes the counts into the guides.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "@typescript/typescript6";
import { toolFolder } from "../../generator/base/bundled.js";
import { generate, writeOutput } from "../../cli/index.js";

/** A package whose declarations are compared with ours. */
interface Peer {
  readonly protocol: string;
  /** Name of the package as written in the guide. */
  readonly name: string;
  /**
   * Folder whose `node_modules` contains the package. `module` is the package module with the
   * declarations.
   */
  readonly from: string;
  readonly module: string;
  readonly schema: readonly string[];
  /** Returns our name for one of the package's types. */
  ours?(name: string, domain: string): string;
}

const inTool = (path: string): string => fileURLToPath(new URL(path, toolFolder));
const shared = (path: string): string => inTool(`../shared/schemas/${path}`);
const peers = inTool("test/peers/");

const all: readonly Peer[] = [
  {
    protocol: "lsp",
    name: "vscode-languageserver-protocol",
    from: peers,
    module: "vscode-languageserver-protocol",
    schema: [shared("lsp/metaModel.json")],
  },
  {
    protocol: "mcp",
    name: "@modelcontextprotocol/sdk",
    from: inTool(""),
    module: "@modelcontextprotocol/sdk/types.js",
    schema: [shared("mcp/2025-11-25.json")],
  },
  {
    protocol: "cdp",
    name: "devtools-protocol",
    from: peers,
    module: "devtools-protocol",
    schema: ["browser", "js"].map(
      (part) => `${peers}node_modules/devtools-protocol/json/${part}_protocol.json`,
    ),
    ours: (name, domain) =>
      `${domain}${name
        .replace(/Request$/, "Params")
        .replace(/Response$/, "Result")
        .replace(/Event$/, "Params")}`,
  },
];

/**
 * One of our types and one of the package's types to compare, as TypeScript expressions with a
 * common name.
 */
interface Pair {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
}

for (const peer of all) {
  const folder = mkdtempSync(join(tmpdir(), "wirewright-types-"));
  try {
    const { files } = await generate(peer.protocol, { schema: peer.schema });
    await writeOutput(join(folder, "ours"), files, { force: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    symlinkSync(join(peer.from, "node_modules"), join(folder, "node_modules"));
    report(peer, compare(peer, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Comparison {
  readonly pairs: readonly Pair[];
  readonly to: ReadonlySet<string>;
  readonly from: ReadonlySet<string>;
  /**
   * The reasons why types are not assignable: the last line of the compiler's output, by name and
   * direction.
   */
  readonly reasons: readonly (readonly [pair: string, reason: string])[];
}

function compare(peer: Peer, folder: string): Comparison {
  const head = `import type * as ours from "./ours/types.js";\nimport type * as theirs from ${JSON.stringify(peer.module)};\n`;
  const checked = (name: string, text: string): ts.Program => {
    const file = join(folder, name);
    writeFileSync(file, head + text);
    return ts.createProgram([file], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    });
  };
  const pairs = pairsOf(
    peer,
    checked("names.ts", "export type All = [typeof ours, typeof theirs];\n"),
    join(folder, "names.ts"),
  );
  const rows = pairs.flatMap(({ ours, theirs }, index) => [
    `export const to${index} = (value: ${ours}): ${theirs} => value;`,
    `export const from${index} = (value: ${theirs}): ${ours} => value;`,
  ]);
  const program = checked("pairs.ts", `${rows.join("\n")}\n`);
  const source = program.getSourceFile(join(folder, "pairs.ts"))!;
  const failed = new Map<number, string>();
  for (const diagnostic of program.getSemanticDiagnostics(source)) {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start!);
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n").split("\n");
    failed.set(line - 2, text.at(-1)!.trim());
  }
  const to = new Set(pairs.filter((_, index) => !failed.has(index * 2)).map(({ name }) => name));
  const from = new Set(
    pairs.filter((_, index) => !failed.has(index * 2 + 1)).map(({ name }) => name),
  );
  const reasons = [...failed].map(
    ([line, reason]) =>
      [`${pairs[line >> 1]!.name} ${line % 2 === 0 ? "to" : "from"}`, reason] as const,
  );
  return { pairs, to, from, reasons };
}

function pairsOf(peer: Peer, program: ts.Program, file: string): readonly Pair[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file)!;
  const [own, other] = source.statements
    .filter(ts.isImportDeclaration)
    .map((each) => checker.getSymbolAtLocation(each.moduleSpecifier)!);
  const typesOf = (symbol: ts.Symbol): readonly string[] =>
    checker
      .getExportsOfModule(symbol)
      .filter((each) => {
        const target =
          (each.flags & ts.SymbolFlags.Alias) === 0 ? each : checker.getAliasedSymbol(each);
        const isGeneric = (target.declarations ?? []).some(
          (declaration) =>
            (ts.isInterfaceDeclaration(declaration) ||
              ts.isTypeAliasDeclaration(declaration) ||
              ts.isClassDeclaration(declaration)) &&
            (declaration.typeParameters ?? []).some((each) => each.default === undefined),
        );
        return (target.flags & ts.SymbolFlags.Type) !== 0 && !isGeneric;
      })
      .map(({ name }) => name);
  const known = new Set(typesOf(own!));
  const toOurs = peer.ours;
  if (toOurs === undefined)
    return typesOf(other!)
      .filter((name) => known.has(name))
      .map((name) => ({ name, ours: `ours.${name}`, theirs: `theirs.${name}` }));
  const root = checker.getExportsOfModule(other!).find(({ name }) => name === "Protocol")!;
  const namespace =
    (root.flags & ts.SymbolFlags.Alias) === 0 ? root : checker.getAliasedSymbol(root);
  return checker.getExportsOfModule(namespace).flatMap((domain) =>
    (domain.flags & ts.SymbolFlags.Namespace) === 0
      ? []
      : typesOf(domain).flatMap((name) => {
          const ours = toOurs(name, domain.name);
          const theirs = `theirs.Protocol.${domain.name}.${name}`;
          return known.has(ours)
            ? [{ name: `${domain.name}.${name}`, ours: `ours.${ours}`, theirs }]
            : [];
        }),
  );
}

function report(
  { protocol, name, from }: Peer,
  { pairs, to, from: back, reasons }: Comparison,
): void {
  const { version } = JSON.parse(
    readFileSync(join(from, "node_modules", name, "package.json"), "utf8"),
  ) as { version: string };
  const both = pairs.filter((pair) => to.has(pair.name) && back.has(pair.name)).length;
  const table = [
    `| types with the same name in \`${name}\` ${version} | ours assignable to theirs | theirs assignable to ours | both |`,
    "| --- | --- | --- | --- |",
    `| ${pairs.length} | ${to.size} | ${back.size} | ${both} |`,
  ].join("\n");
  console.log(`${table}\n`);
  for (const [pair, reason] of reasons) console.log(`${pair}: ${reason}`);
  const guide = inTool(`docs/guides/${protocol}.md`);
  const text = readFileSync(guide, "utf8");
  writeFileSync(
    guide,
    text.replace(
      /(<!-- types: \w+ -->\n)[^]*?(<!-- \/types -->)/,
      (_, start: string, end: string) => `${start}\n${table}\n\n${end}`,
    ),
  );
}
