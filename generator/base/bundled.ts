import { fileURLToPath } from "node:url";
import { files } from "./files.js";

/**
 * The root folder of the installed tool: the nearest folder above this file that contains
 * `schema/`.
 */
export const toolFolder: URL = findToolFolder();

/** The folder that holds the bundled protocols, each in its own subfolder. */
export const bundledSchemaFolder: URL = new URL("schema/", toolFolder);

/** The folder with the JSON Schemas of the tool's own files. */
export const formatsFolder: URL = new URL("formats/", bundledSchemaFolder);

/** The version of the tool, which is also that of the runtime. */
export function toolVersion(): string {
  return readManifest().version;
}

/** Returns the versions of `@wirewright/runtime` that generated code works with. */
export function runtimeRange(): string {
  return `^${toolVersion().replace(/\.\d+$/, "")}`;
}

/** Returns the URL of the tool's website. */
export function toolHomepage(): string {
  return readManifest().homepage;
}

function readManifest(): { readonly version: string; readonly homepage: string } {
  const text = files.readText(new URL("package.json", toolFolder));
  return JSON.parse(text) as ReturnType<typeof readManifest>;
}

/** Returns the names of the protocols that ship with the tool, sorted. */
export function bundledProtocols(): readonly string[] {
  return (bundled ??= listBundled());
}

let bundled: readonly string[] | undefined;

function listBundled(): readonly string[] {
  return files
    .list(bundledSchemaFolder)
    .filter((name) => files.exists(new URL(`${name}/protocol.json`, bundledSchemaFolder)))
    .sort();
}

/** Returns the bundled protocol to use if the user does not specify one. */
export function defaultProtocol(): string {
  const isDefault = (name: string): boolean =>
    (JSON.parse(files.readText(bundledDescriptionPath(name))) as { default?: unknown }).default ===
    true;
  return bundledProtocols().find(isDefault) ?? "";
}

/** Returns the path to a bundled protocol's description. */
export function bundledDescriptionPath(protocol: string): string {
  return fileURLToPath(new URL(`${protocol}/protocol.json`, bundledSchemaFolder));
}

/** Returns the path to a bundled protocol's models, which only the published tool contains. */
export function bundledModelsPath(protocol: string): string {
  return fileURLToPath(new URL(`${protocol}/models.jsonl`, bundledSchemaFolder));
}

function findToolFolder(): URL {
  for (let folder = new URL("./", import.meta.url); ; folder = new URL("../", folder)) {
    if (files.exists(new URL("schema/formats/protocol.schema.json", folder))) return folder;
    if (folder.pathname === "/" || new URL("../", folder).href === folder.href) {
      throw new Error("Cannot find wirewright's schema folder: the installation is incomplete");
    }
  }
}
