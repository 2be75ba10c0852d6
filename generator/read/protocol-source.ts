import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { checkOptions, text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../base/check-arguments.js";
import { bundledProtocols } from "../base/bundled.js";
import { files } from "../base/files.js";
import { InputError } from "../base/input-error.js";
import { packageFolders } from "../base/packages.js";
import { readJsonInput, readTextFile } from "./source/input-source.js";
import { versionIn } from "./open-schema-source.js";
import { isJsonObject, readJsonText } from "./source/json-text.js";
import { readChecks, type ReadOptions } from "./read-options.js";
import { isSchema } from "./description/check-description.js";
import type { SchemaSource } from "./description/draft.js";
import { isDescription } from "./open-description.js";
import {
  findDescription,
  readProtocolSource,
  readVersionName,
  type ProtocolSource,
} from "./read-protocol.js";
import { isGitFolder, readGitFile, readGitName, type GitFile } from "./source/git-files.js";

/**
 * Opens a version of a protocol:
 *
 * - `dap`, `dap@1.65.0`: a bundled version
 * - `-`, `schema.json`, `https://...`: a schema
 * - `browser.json,js.json`: a schema that is split across several files
 * - `REF:path`, `git:FOLDER#REF:path`: a schema or declarations at a git revision
 * - `types.d.ts`, `@vscode/debugprotocol`: declarations in a file or in a package in `node_modules`
 * - `@wirewright/dap`: the version that an installed package was generated from
 * - `protocol.json` or its folder: the description's current version or, with `@VERSION`, that
 *   version
 * - `REF:path` of a description or its folder: the description and its files at the git revision
 *
 * @param protocol Name or path of the description for a schema or declarations. If it is a file in
 * the same repository as a revision, it is read at that revision.
 * @throws InputError with code, location and hint.
 */
export async function openProtocolSource(
  spec: string,
  protocol: string,
  options: ReadOptions = {},
): Promise<ProtocolSource> {
  checkOptions("openProtocolSource", options, readChecks);
  checkArguments("openProtocolSource", { spec: [spec, text], protocol: [protocol, text] });
  if (spec.includes(",") && !files.exists(spec)) {
    const names = spec.split(",");
    const [file, ...others] = await Promise.all(names.map((name) => readJsonInput(name, options)));
    return fromFile({ file: file!, others, unstated: [] }, spec, protocol, options);
  }
  if (isDescription(readVersionName(spec).protocol) && !isSchemaFile(spec))
    return readProtocolSource(spec, options);
  if (spec === "-" || /^https:\/\//i.test(spec))
    return fromFile(
      { file: await readJsonInput(spec, options), unstated: [] },
      spec,
      protocol,
      options,
    );
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(spec))
    throw new InputError("ERR_READ", `Cannot read "${spec}"`, {}, "Use an https: URL or a file");
  if (files.exists(spec)) return fromText(await readTextFile(spec), spec, spec, protocol, options);
  const git = readGitName(spec);
  if (git !== undefined) return fromRevision(git, spec, protocol, options);
  const installed = findPackage(spec);
  if (installed !== undefined) return fromPackage(installed, protocol, options);
  throw new InputError(
    "ERR_READ",
    `Cannot find "${spec}"`,
    {},
    `Pass a file, the folder of a protocol.json, an https: URL, REF:path, a package in node_modules, or a version such as ${protocol}@VERSION`,
  );
}

/** Returns whether a path that ends like a description's is that of a schema. */
function isSchemaFile(path: string): boolean {
  if (!path.endsWith(".json") || !files.exists(path)) return false;
  try {
    return isSchema(readJsonText(files.readText(path), path).value);
  } catch {
    return false;
  }
}

async function fromRevision(
  git: GitFile,
  spec: string,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  if (await isGitFolder(git))
    return readProtocolSource(`${spec.replace(/\/$/, "")}/protocol.json`, options);
  const described = await describedThen(git, protocol);
  return fromText(await readGitFile(git), spec, git.path, described, options);
}

/**
 * Opens the description for a schema at a git revision. If the description is a file in the same
 * repository, it is read at that revision.
 */
async function describedThen(git: GitFile, protocol: string): Promise<string> {
  if (bundledProtocols().includes(protocol)) return protocol;
  const file = findDescription(protocol);
  if (readGitName(file) !== undefined) return protocol;
  const path = relative(resolve(git.folder), resolve(file)).replaceAll(sep, "/");
  const then = { ...git, path: path.startsWith(".") ? path : `./${path}` };
  try {
    await isGitFolder(then);
  } catch {
    return protocol;
  }
  return `${then.prefix}${then.path}`;
}

async function fromText(
  text: string,
  name: string,
  path: string,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  if (!/\.d\.[cm]?ts$/.test(path))
    return fromFile({ file: readJsonText(text, name), unstated: [] }, name, protocol, options);
  const { readDeclarations } = await import("./source/declarations.js");
  const file = await readDeclarations(text, name);
  return fromFile({ file, unstated: file.unstated }, name, protocol, options);
}

/** Reads a protocol with a schema whose name may contain its version. */
function fromFile(
  source: Omit<SchemaSource, "version">,
  name: string,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  const version = options.version ?? versionOf(name);
  return readProtocolSource(protocol, options, { ...source, version });
}

/** Returns the version in a file name, or the file name itself if it contains none. */
function versionOf(name: string): string {
  const version = versionIn(name);
  return version === "custom" ? basename(name) : version;
}

/** A package in `node_modules`. */
interface InstalledPackage {
  readonly name: string;
  /** Path of the package's package.json. `fields` holds its contents. */
  readonly manifest: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Finds an installed package, searching upwards from the current folder. */
function findPackage(name: string): InstalledPackage | undefined {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return undefined;
  const manifest = packageFolders(name, process.cwd())
    .map((folder) => join(folder, "package.json"))
    .find((path) => files.exists(path));
  if (manifest === undefined) return undefined;
  const { value } = readJsonText(files.readText(manifest), manifest);
  return { name, manifest, fields: isJsonObject(value) ? value : {} };
}

function fromPackage(
  installed: InstalledPackage,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  const { name, manifest, fields } = installed;
  const { protocol: generated, protocolVersion } = fields;
  if (typeof generated === "string" && typeof protocolVersion === "string")
    return fromGeneratedPackage(installed, generated, protocolVersion, options);
  const entry = fields["types"] ?? fields["typings"];
  if (typeof entry !== "string")
    throw new InputError("ERR_READ", `Cannot find declarations in the package "${name}"`, {
      file: manifest,
    });
  const file = /\.d\.[cm]?ts$/.test(entry) ? entry : `${entry}.d.ts`;
  const path = join(dirname(manifest), file);
  if (!files.exists(path))
    throw new InputError(
      "ERR_READ",
      `Cannot find declarations for the package "${name}": there is no ${file}`,
      { file: manifest },
      "Reinstall or build the package",
    );
  const version = `${name}@${typeof fields["version"] === "string" ? fields["version"] : ""}`;
  return fromText(files.readText(path), name, path, protocol, { ...options, version });
}

/**
 * If a package was generated from a bundled version, reads that version instead, because the
 * package's types contain less information.
 */
function fromGeneratedPackage(
  { name, manifest }: InstalledPackage,
  protocol: string,
  version: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  if (bundledProtocols().includes(protocol))
    return readProtocolSource(protocol, { ...options, version });
  throw new InputError(
    "ERR_READ",
    `Cannot compare the package "${name}": it was generated from ${protocol} ${version}, which is not bundled`,
    { file: manifest },
    "Pass the schema that it was generated from, and pass the protocol's description with --protocol",
  );
}
