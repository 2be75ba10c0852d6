import { readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fromRoot } from "../../test/support/paths.js";
import { entryPoints, packagedProtocols } from "../../test/support/workspaces.js";
import { base } from "./pages/addresses.js";
import type { SitePage } from "./pages/site-pages.js";

/** Packages that have an API reference: the protocols' packages, and the tool. */
export const apiPackages: readonly string[] = [
  ...packagedProtocols.map((name) => `@wirewright/${name}`),
  "wirewright",
];

/** A module whose functions, classes and types have a page. */
export interface ApiModule {
  readonly package: string;
  /** The module's name in import statements. */
  readonly specifier: string;
  readonly label: string;
  readonly address: string;
  /** The contents in one sentence. */
  readonly docs: string;
  /** The TypeScript source, relative to the root. */
  readonly source: string;
}

const contents: Readonly<Record<string, string>> = {
  index:
    "Everything to read and write messages: codecs, guards, `classify`, and maps of all names.",
  connection: "Connections between two programs, with every request, event and handler typed.",
  dialects: "The older and deviating forms of the protocol, as options of codecs and connections.",
  node: "Starts programs, connects to them, and serves connections in Node.",
  adapter: "Debug adapters: `defineAdapter`, references (`Handles`), positions and progress.",
  session: "Debug sessions from a client's side: launch or attach, breakpoints, stops, snapshots.",
  testing: "Scripted clients and adapters for tests, and recordings of sessions.",
  wirewright: "The tool as functions: generate, compare versions, check, record and show sessions.",
  Model: "The model of a protocol that schema readers return and emitters print.",
  SessionRules: "The rules of a `session-rules.json`, with which sessions are checked.",
};

/** The modules whose content the protocol browser shows, or a sentence says. */
const unlisted = ["types", "validators"];

/** All modules with a page. Namespaces of the tool have pages, too. */
export const apiModules: readonly ApiModule[] = [
  ...packagedProtocols.flatMap((name) =>
    [...entryPoints(name)]
      .filter(([module]) => !unlisted.includes(module))
      .map(([module, source]) => {
        const suffix = module === "index" ? "" : `/${module}`;
        return {
          package: `@wirewright/${name}`,
          specifier: `@wirewright/${name}${suffix}`,
          label: module === "index" ? "Messages" : module,
          address: `api/${name}${suffix}`,
          docs: contents[module]!,
          source: `${source}.ts`,
        };
      }),
  ),
  ...["", "Model", "SessionRules"].map((namespace) => ({
    package: "wirewright",
    specifier: namespace === "" ? "wirewright" : `wirewright: ${namespace}`,
    label: namespace || "Functions",
    address: `api/wirewright${namespace === "" ? "" : `/${namespace.toLowerCase()}`}`,
    docs: contents[namespace || "wirewright"]!,
    source: namespace === "" ? "cli/index.ts" : `cli/namespaces/${namespace}.ts`,
  })),
];

/** Writes TypeDoc's options to a file. TypeDoc is to write a Markdown file for each module. */
export function writeApiOptions(file: string, folder: string): void {
  const files = [
    ...packagedProtocols.flatMap((name) =>
      [...entryPoints(name)].flatMap(([module, path]) =>
        module === "validators" ? [] : [fromRoot(`${path}.ts`)],
      ),
    ),
    fromRoot("cli/index.ts"),
  ];
  const tsconfig = fromRoot("build/api-tsconfig.json");
  const compilerOptions = { composite: false, rootDir: "..", noEmit: true };
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: "../tsconfig.base.json", files, compilerOptions }),
  );
  const tables = ["parameters", "interfaceProperties", "classProperties", "typeDeclaration"];
  const options = {
    entryPoints: files,
    tsconfig,
    basePath: fromRoot("."),
    out: folder,
    plugin: ["typedoc-plugin-markdown"],
    readme: "none",
    outputFileStrategy: "modules",
    hidePageHeader: true,
    hidePageTitle: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    ...Object.fromEntries(tables.map((name) => [`${name}Format`, "table"])),
    disableSources: true,
    excludeExternals: true,
    excludePrivate: true,
    skipErrorChecking: true,
    logLevel: "Warn",
    validation: { notDocumented: false, invalidLink: true, notExported: false },
  };
  writeFileSync(file, JSON.stringify(options));
}

/**
 * Reads the pages that TypeDoc wrote into a folder, after a page that lists all modules.
 *
 * @param protocolAddresses Addresses of the protocols' pages, to which types of messages link.
 */
export function readApiPages(
  folder: string,
  protocolAddresses: ReadonlySet<string>,
): readonly SitePage[] {
  const addresses = new Map(apiModules.map(({ source, address }) => [fileOf(source), address]));
  const pages = apiModules.map(({ source, specifier, address, docs }) => {
    const file = fileOf(source);
    const text = withoutMessageGuards(readFileSync(`${folder}/${file}`, "utf8"));
    const linkOf = (target: string): string | undefined => {
      const [path = "", anchor = ""] = target.split("#");
      const linked = path === "" ? file : posix.join(posix.dirname(file), path);
      const [, protocol] = /^generated\/([^/]+)\/types\.md$/.exec(linked) ?? [];
      const page = `protocols/${protocol}/${anchor}`;
      if (protocol !== undefined)
        return protocolAddresses.has(page) ? `${base}/${page}/` : undefined;
      const other = addresses.get(linked);
      return other === undefined
        ? undefined
        : `${base}/${other}/${anchor === "" ? "" : `#${anchor}`}`;
    };
    const body = text.replaceAll(
      /(?<!!)\[((?:`[^`\n]+`|\\.|[^\]\\`\n])+)\]\(([^)\s]+)\)/g,
      (link, label: string, target: string) => {
        if (/^\w+:/.test(target)) return link;
        const address = target.startsWith("#") ? target : linkOf(target);
        return address === undefined ? label : `[${label}](${address})`;
      },
    );
    return {
      address,
      title: specifier,
      description: docs.replaceAll("`", ""),
      body: `${docs}\n\n${body}`,
    };
  });
  const list = apiPackages.map((name) => {
    const lines = apiModules
      .filter((module) => module.package === name)
      .map(
        ({ specifier, address, docs }) => `- [\`${specifier}\`](${base}/${address}/): ${docs}\n`,
      );
    return `## ${name}\n\n${lines.join("")}`;
  });
  const start = {
    address: "api",
    title: "API reference",
    description: "The modules of all packages, with their functions, classes and types",
    body: `Each package also has the module \`types\`, whose types the pages of [its protocol](${base}/protocols/dap/) show, and the module \`validators\` with \`isValid\` and \`validate\`: see [validation](${base}/reference/tolerances-and-issues/).\n\n${list.join("\n")}`,
  };
  return [start, ...pages];
}

/** Returns the file that TypeDoc writes for a module. */
function fileOf(source: string): string {
  return source === "cli/index.ts" ? "cli/README.md" : source.replace(/(\/index)?\.ts$/, ".md");
}

/** Removes the guards for single messages, such as `isNextRequest`, which differ only in their name. */
function withoutMessageGuards(text: string): string {
  return text.replaceAll(
    /^### is\w+(Request|Response|Event|Notification)\(\)\n[^]*?(?=^#{2,3} |(?![^]))/gm,
    "",
  );
}
