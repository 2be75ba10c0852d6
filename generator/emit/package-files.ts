import type { Protocol } from "../model/protocol.js";
import { eventsOf, requestsOf } from "../model/queries.js";
import { markdownText } from "../print/markdown-text.js";
import { printJson } from "../print/json-text.js";
import { visible } from "../base/visible-text.js";
import type { PackageNames } from "./modules/package-names.js";
import { emittedModules } from "./emitted-modules.js";
import { packageEntries } from "./package-entries.js";
import { importLines, member, quote } from "./printer/source-file.js";

/** Emits the files other than code: package.json, compiler settings and a short README. */
export function emitPackageFiles(
  protocol: Protocol,
  names: PackageNames,
  packageName: string,
): ReadonlyMap<string, string> {
  return new Map([
    ["README.md", readme(protocol, names, packageName)],
    ["cjs/package.json", json({ type: "commonjs" })],
    ["package.json", `${printJson(manifest(protocol, packageName))}\n`],
    [
      "tsconfig.cjs.json",
      json({ extends: "./tsconfig.json", compilerOptions: { module: "commonjs", outDir: "cjs" } }),
    ],
    ["tsconfig.json", json(compilerSettings)],
  ]);
}

const compilerSettings = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2022", "dom"],
    types: ["node"],
    module: "es2022",
    rootDir: ".",
    outDir: "dist",
    declaration: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    noPropertyAccessFromIndexSignature: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    isolatedModules: true,
    skipLibCheck: true,
  },
  include: ["*.ts", "runtime"],
};

function manifest(protocol: Protocol, packageName: string): object {
  const entries = packageEntries(protocol);
  return {
    name: packageName,
    version: protocol.packageVersion,
    description: `Types, guards, message maps, validators and codec of the ${protocol.title}`,
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20" },
    main: "./cjs/index.js",
    types: "./dist/index.d.ts",
    // For compilers that know no exports: `moduleResolution: node10`.
    typesVersions: {
      "*": Object.fromEntries(
        entries
          .filter(({ name }) => name !== "index")
          .map(({ name }) => [name, [`./cjs/${name}.d.ts`]]),
      ),
    },
    exports: {
      ...Object.fromEntries(
        entries.map(({ name }) => [
          name === "index" ? "." : `./${name}`,
          { import: built("dist", name), require: built("cjs", name) },
        ]),
      ),
      "./package.json": "./package.json",
    },
    files: ["dist", "cjs"],
    scripts: {
      build: "tsc -p tsconfig.json && tsc -p tsconfig.cjs.json",
      prepack: "npm run build",
    },
    devDependencies: { "@types/node": ">=20", typescript: ">=5.4" },
  };
}

/** An entry of `exports` for a module that the compiler has written. */
function built(folder: string, name: string): object {
  return { types: `./${folder}/${name}.d.ts`, default: `./${folder}/${name}.js` };
}

function readme(protocol: Protocol, names: PackageNames, packageName: string): string {
  const requests = requestsOf(protocol);
  const events = eventsOf(protocol);
  const event = events[0];
  const request = requests.find((each) => each.payload === undefined) ?? requests[0];
  const [first, second] = protocol.roles;
  const lines = [
    `# ${visible(packageName)}`,
    "",
    `The ${markdownText(`${protocol.title}${protocol.version === "custom" ? "" : ` ${protocol.version}`}`)} in TypeScript: ${requests.length} requests and ${events.length} ${names.events}, with types that narrow, guards that never throw, and maps from each name to what belongs to it. No dependencies.`,
    "",
    "```ts",
    ...importLines(
      "import",
      [
        "classify",
        ...(event === undefined ? [] : [`is${names.Event}`]),
        ...(request === undefined ? [] : ["requests"]),
        `type ${names.sentBy(second)}`,
      ],
      packageName,
    ),
    "",
    `function receive(message: ${names.sentBy(second)}): void {`,
    ...(event === undefined
      ? []
      : [
          `  if (is${names.Event}(message, ${quote(event.name)})) {`,
          `    message; // ${event.definition}`,
          "  }",
        ]),
    "}",
    "",
    "classify(JSON.parse(text)); // known, custom or malformed",
    ...(request === undefined
      ? []
      : [
          `${member("requests", request.name)}.direction; // ${quote(request.sender === first ? `${first}-to-${second}` : `${second}-to-${first}`)}`,
        ]),
    "```",
    "",
    ...alignTable([
      "| import | what it holds |",
      "| --- | --- |",
      ...packageEntries(protocol).flatMap(({ name, modules }) => {
        const imported = `\`${name === "index" ? packageName : `${packageName}/${name}`}\``;
        return contentsOf(protocol, names, name, modules).map(
          (held) => `| ${imported} | ${held} |`,
        );
      }),
    ]),
    "",
    "Generated by wirewright: change the schema, not these files.",
    "",
  ];
  return lines.join("\n");
}

/** What an entry holds, a line for each of its modules. */
function contentsOf(
  protocol: Protocol,
  names: PackageNames,
  entry: string,
  modules: readonly string[],
): readonly string[] {
  if (entry === "types") return ["all types, and no code"];
  const generated = emittedModules(protocol).filter(({ file }) =>
    modules.includes(file.slice(0, -".ts".length)),
  );
  const written = (protocol.modules ?? []).filter(({ name }) => modules.includes(name));
  return [
    ...generated.flatMap(({ readme }) => readme?.(protocol, names) ?? []),
    ...(entry === "node" ? ["the codec, and transports, on Node's streams and processes"] : []),
    ...written.map(({ name, text }) => {
      const exported = [...text.matchAll(/^export (?:async )?(?:function\*?|class) (\w+)/gm)];
      return exported.length === 0
        ? `types of \`${name}.ts\``
        : exported.map(([, each]) => `\`${each}\``).join(", ");
    }),
  ];
}

/** Pads the cells of a markdown table. */
function alignTable(rows: readonly string[]): readonly string[] {
  const cells = rows.map((row) => row.slice(2, -2).split(" | "));
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const pad = (cell: string, width: number): string =>
    cell === "---" ? "-".repeat(width) : cell.padEnd(width);
  return cells.map(
    (row) => `| ${row.map((cell, column) => pad(cell, widths[column]!)).join(" | ")} |`,
  );
}

/** Prints JSON with short lists on one line. */
function json(value: object): string {
  const text = printJson(value).replaceAll(/\[\n[^[\]{}]*\]/g, (list) => {
    const flat = list.replaceAll(/\n\s*/g, " ").replace("[ ", "[").replace(" ]", "]");
    return flat.length > 70 ? list : flat;
  });
  return `${text}\n`;
}
