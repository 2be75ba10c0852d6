import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { InputError } from "../base/input-error.js";
import { bundledProtocols } from "../base/bundled.js";
import { readJsonInput, readTextFile } from "./source/input-source.js";
import { maxInputLength, readJsonText, type JsonFile } from "./source/json-text.js";
import type { ReadOptions } from "./read-options.js";
import { readProtocolSource, type ProtocolSource } from "./read-protocol.js";

/**
 * Opens a version of a protocol:
 *
 * - `dap`, `dap@1.65.0`: a bundled version
 * - `-`, `schema.json`, `https://...`: a schema
 * - `REF:path`, `git:FOLDER#REF:path`: a schema or declarations in a git revision
 * - `types.d.ts`, `@vscode/debugprotocol`: declarations in a file or in a package in `node_modules`
 * - `protocol.json` or its folder: the current version of a description
 *
 * @param protocol Name or path of the description for a schema or declarations.
 * @throws InputError with code, place and hint.
 */
export async function openProtocolSource(
  spec: string,
  protocol: string,
  options: ReadOptions = {},
): Promise<ProtocolSource> {
  const [bundled = ""] = spec.split("@");
  if (bundledProtocols().includes(bundled)) return readProtocolSource(spec, options);
  if (/(^|[\\/])protocol\.json$/.test(spec) || existsSync(join(spec, "protocol.json")))
    return readProtocolSource(spec, options);
  if (spec === "-" || /^https:\/\//i.test(spec))
    return fromFile(await readJsonInput(spec, options), spec, protocol, options);
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(spec))
    throw new InputError("ERR_READ", `Cannot read "${spec}"`, {}, "Use an https: URL or a file");
  if (existsSync(spec)) return fromText(await readTextFile(spec), spec, spec, protocol, options);
  const git = /^(?:git:(?<folder>[^#]*)#)?(?<ref>[^:]*):(?<path>.+)$/s.exec(spec)?.groups;
  if (git !== undefined && !isAbsolute(spec)) {
    const { folder = ".", ref = "", path = "" } = git;
    return fromText(await readRevision(folder, ref, path), spec, path, protocol, options);
  }
  const declarations = findDeclarations(spec);
  if (declarations !== undefined)
    return fromText(
      readFileSync(declarations.path, "utf8"),
      declarations.name,
      declarations.path,
      protocol,
      { ...options, version: declarations.version },
    );
  throw new InputError(
    "ERR_READ",
    `Cannot find "${spec}"`,
    {},
    `Give a file, an https: URL, REF:path, a package in node_modules, or a bundled version such as ${basename(protocol)}@VERSION`,
  );
}

async function fromText(
  text: string,
  name: string,
  path: string,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  if (!/\.d\.[cm]?ts$/.test(path))
    return fromFile(readJsonText(text, name), name, protocol, options);
  const { readDeclarations } = await import("./source/declarations.js");
  const file = await readDeclarations(text, name);
  const version = options.version ?? versionOf(name);
  return readProtocolSource(protocol, options, { file, version, unstated: file.unstated });
}

function fromFile(
  file: JsonFile,
  name: string,
  protocol: string,
  options: ReadOptions,
): Promise<ProtocolSource> {
  const version = options.version ?? versionOf(name);
  return readProtocolSource(protocol, options, { file, version, unstated: [] });
}

/** The version in a file name, or else the file name itself. */
function versionOf(name: string): string {
  return /(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? basename(name);
}

async function readRevision(folder: string, ref: string, path: string): Promise<string> {
  const name = `${ref}:${path}`;
  if (ref.startsWith("-"))
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot take "${ref}" for a revision: it starts with a hyphen`,
    );
  const [{ execFile }, { promisify }] = await Promise.all([
    import("node:child_process"),
    import("node:util"),
  ]);
  try {
    const { stdout } = await promisify(execFile)("git", ["show", "--end-of-options", name], {
      cwd: resolve(folder),
      maxBuffer: maxInputLength * 3,
    });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    const why =
      code === "ENOENT"
        ? existsSync(folder)
          ? "git is not installed"
          : "there is no such folder"
        : (stderr ?? "").split("\n")[0]!.replace(/^fatal: /, "");
    throw new InputError("ERR_READ", `Cannot read "${name}" from git: ${why}`, { file: name });
  }
}

/** Finds the declarations of an installed package, from the current folder. */
function findDeclarations(
  name: string,
): { name: string; path: string; version: string } | undefined {
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return undefined;
  const require = createRequire(join(process.cwd(), "package.json"));
  for (const folder of require.resolve.paths(name) ?? []) {
    const manifest = join(folder, name, "package.json");
    if (!existsSync(manifest)) continue;
    const { version, types, typings } = JSON.parse(readFileSync(manifest, "utf8")) as Record<
      string,
      string | undefined
    >;
    const entry = types ?? typings;
    if (entry === undefined)
      throw new InputError("ERR_READ", `Cannot find declarations in the package "${name}"`, {
        file: manifest,
      });
    const file = /\.d\.[cm]?ts$/.test(entry) ? entry : `${entry}.d.ts`;
    return { name, path: join(dirname(manifest), file), version: `${name}@${version ?? ""}` };
  }
  return undefined;
}
