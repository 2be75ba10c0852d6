import type { Protocol } from "../model/protocol.js";
import { emittedModules, type EntryName } from "./emitted-modules.js";
import type { PackageNames } from "./modules/package-names.js";
import { runtimeNames } from "./runtime-names.js";

/** What people import from a package under one name. */
export interface PackageEntry {
  /** File of the entry, without its extension: `index` is imported as the package, any other as `package/name`. */
  readonly name: string;
  /** Files whose exports it has, without extensions. May contain the entry's own file. */
  readonly modules: readonly string[];
  /** What it exports from the runtime. */
  readonly values: readonly string[];
  readonly types: readonly string[];
  /** Whether it needs Node. */
  readonly isNode?: true;
  /** Whether it contains no code. */
  readonly isTypes?: true;
}

/** The entries of a package: its own, and one for each module that its description lists as an entry. */
export function packageEntries(protocol: Protocol): readonly PackageEntry[] {
  const own = protocol.modules ?? [];
  const entries = generatedEntries.flatMap(({ name, ...rest }): PackageEntry[] => {
    const modules = [
      ...emittedModules(protocol)
        .filter(({ readme, entry = "index" }) => readme !== undefined && entry === name)
        .map(({ file }) => file.slice(0, -".ts".length)),
      ...own
        .filter(({ text, isEntry }) => !isEntry && name === (isForNode(text) ? "node" : "index"))
        .map((module) => module.name),
    ].sort();
    if (modules.length === 0 && name !== "node" && name !== "types") return [];
    return [{ name, modules, ...runtimeNames(protocol, name), ...rest }];
  });
  const added = own.filter(({ isEntry }) => isEntry === true);
  return [
    ...entries,
    ...added.map(({ name, text }) => ({
      ...{ name, modules: [name], values: [], types: [] },
      ...(isForNode(text) ? { isNode: true as const } : {}),
    })),
  ];
}

/** Names of types in `maps.ts`, which `types` exports, too. */
export function mapTypes(protocol: Protocol, names: PackageNames): readonly string[] {
  const { Event, Events } = names;
  return [
    ...["Requests", "RequestName", "RequestNameFrom", "ParametersOf"],
    ...[Events, `${Event}Name`, `${Event}NameFrom`],
    protocol.lanes === undefined ? "BodyOf" : "AnswerOf",
  ].sort();
}

/** How a module that needs Node is recognised. */
function isForNode(text: string): boolean {
  return /from "node:/.test(text);
}

const generatedEntries: readonly (Pick<PackageEntry, "isNode" | "isTypes"> & {
  readonly name: EntryName;
})[] = [
  { name: "index" },
  { name: "types", isTypes: true },
  { name: "validate" },
  { name: "connection" },
  { name: "dialects" },
  { name: "node", isNode: true },
  { name: "compatibility", isTypes: true },
];
