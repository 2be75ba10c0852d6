import { existsSync } from "node:fs";
import { InputError, nearest } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer, type JsonFile } from "../generator/read/source/json-text.js";
import { readCommentedFile } from "./commented-json.js";
import {
  requestNames,
  type ConfigurationSet,
  type ConfigurationSource,
  type OfferedConfiguration,
  type SourceNote,
} from "./configuration-set.js";
import { localize, localizedTexts, type LocalizedTexts } from "./localized-texts.js";
import { definitionsIn, readValueSchema } from "./read-value-schema.js";
import { definitionsOf, readReferredFiles } from "./referred-files.js";

/** Returns whether a file is the package.json of a VS Code extension that contributes debuggers. */
export function isManifest(value: Json): boolean {
  const contributes = isJsonObject(value) ? value["contributes"] : undefined;
  return isJsonObject(contributes) && contributes["debuggers"] !== undefined;
}

/** Returns the path to the file with a manifest's localized strings, if it exists. */
export function textFileOf(manifest: string): string | undefined {
  if (!manifest.endsWith(".json")) return undefined;
  const path = `${manifest.slice(0, -".json".length)}.nls.json`;
  return existsSync(path) ? path : undefined;
}

/**
 * Reads the debuggers from the package.json of a VS Code extension.
 *
 * @throws InputError with the location of the part that cannot be read.
 */
export async function readManifest(file: JsonFile): Promise<ConfigurationSource> {
  const path = textFileOf(file.name);
  const texts: LocalizedTexts =
    path === undefined ? new Map() : localizedTexts((await readCommentedFile(path)).value);
  const pointer = "/contributes/debuggers";
  const { debuggers } = (file.value as { readonly contributes: { readonly debuggers: Json } })
    .contributes;
  const referred = await readReferredFiles(file, debuggers, pointer);
  return new ManifestReader(file, texts, path, referred).read();
}

class ManifestReader {
  readonly #file: JsonFile;
  readonly #texts: LocalizedTexts;
  readonly #textFile: string | undefined;
  /** Files that the schemas in the manifest refer to. */
  readonly #referred: ReadonlyMap<string, JsonFile>;
  readonly #sets: ConfigurationSet[] = [];
  readonly #offered: OfferedConfiguration[] = [];
  readonly #notes: SourceNote[] = [];

  constructor(
    file: JsonFile,
    texts: LocalizedTexts,
    textFile: string | undefined,
    referred: ReadonlyMap<string, JsonFile>,
  ) {
    this.#referred = referred;
    this.#file = file;
    this.#texts = texts;
    this.#textFile = textFile;
  }

  read(): ConfigurationSource {
    const { contributes } = this.#file.value as {
      readonly contributes: { readonly debuggers: Json };
    };
    const pointer = "/contributes/debuggers";
    const { debuggers } = contributes;
    if (!Array.isArray(debuggers))
      return this.#fail('Cannot read "debuggers": it must be an array', pointer);
    debuggers.forEach((each: Json, index) => this.#debugger(each, joinPointer(pointer, index)));
    if (this.#sets.length === 0)
      return this.#fail(
        "Cannot find any configuration attributes",
        pointer,
        'Add "configurationAttributes" to a debugger',
      );
    return {
      file: this.#file.name,
      sets: this.#sets,
      offered: this.#offered,
      notes: this.#notes,
      inputs: [
        this.#file.name,
        ...(this.#textFile === undefined ? [] : [this.#textFile]),
        ...[...this.#referred.values()].map(({ name }) => name),
      ],
      locate: (pointer) => this.#file.locate(pointer),
    };
  }

  #fail(text: string, at: string, hint?: string): never {
    throw new InputError("ERR_SCHEMA", text, this.#file.locate(at), hint);
  }

  #debugger(value: Json, at: string): void {
    if (!isJsonObject(value)) return this.#fail("Cannot read a debugger: it must be an object", at);
    const { type, label, configurationAttributes: attributes } = value;
    if (typeof type !== "string" || type === "")
      return this.#fail('Cannot read a debugger that has no "type"', at);
    // The type `*` stands for every debugger; its attributes are provided by the editor itself.
    if (type === "*" || attributes === undefined) return;
    if (!isJsonObject(attributes))
      return this.#fail(
        'Cannot read "configurationAttributes": it must be an object',
        joinPointer(at, "configurationAttributes"),
      );
    const shown =
      typeof label === "string" ? this.#localized(label, joinPointer(at, "label")) : undefined;
    for (const [request, schema] of Object.entries(attributes)) {
      const setPointer = joinPointer(at, "configurationAttributes", request);
      const requestName = requestNames.find((name) => name === request);
      if (requestName === undefined)
        return this.#fail(
          `Cannot read attributes for the request "${request}"`,
          setPointer,
          `A configuration is for ${requestNames.map((name) => `"${name}"`).join(" or ")}${nearest(request, requestNames) === undefined ? "" : `: did you mean "${nearest(request, requestNames)}"?`}`,
        );
      if (this.#sets.some((set) => set.type === type && set.request === requestName))
        return this.#fail(
          `Found two debuggers of type "${type}"; only one is supported`,
          joinPointer(at, "type"),
        );
      this.#set(
        type,
        requestName,
        typeof shown === "string" ? shown : undefined,
        schema,
        setPointer,
      );
    }
    this.#offer(value["initialConfigurations"], joinPointer(at, "initialConfigurations"));
  }

  #set(
    type: string,
    request: ConfigurationSet["request"],
    label: string | undefined,
    value: Json,
    pointer: string,
  ): void {
    if (!isJsonObject(value))
      return this.#fail(
        `Cannot read the attributes of "${request}": they must be an object`,
        pointer,
      );
    const context = {
      file: this.#file,
      referred: definitionsOf(
        this.#referred,
        definitionsIn(this.#localized(value, pointer), pointer),
      ),
      notes: this.#notes,
    };
    const schema = readValueSchema(context, this.#localized(value, pointer, false), pointer);
    if (!isJsonObject(schema)) return;
    this.#sets.push({ type, request, schema, pointer, ...(label === undefined ? {} : { label }) });
  }

  #localized(value: Json, at: string, isReported = true): Json {
    return localize(value, this.#texts, at, (key, place) => {
      if (!isReported) return;
      this.#notes.push({
        place: this.#file.locate(place),
        message: `There is no string for %${key}%`,
        hint:
          this.#textFile === undefined
            ? "Add a package.nls.json next to the file"
            : `Add "${key}" to package.nls.json${nearest(key, this.#texts.keys()) === undefined ? "" : `, or did you mean "${nearest(key, this.#texts.keys())}"?`}`,
      });
    });
  }

  #offer(value: Json | undefined, at: string): void {
    // A string names a command that provides the configurations.
    if (value === undefined || typeof value === "string") return;
    if (!Array.isArray(value))
      return this.#fail("Cannot read initialConfigurations: it must be an array", at);
    for (const [index, each] of (value as readonly Json[]).entries())
      this.#offered.push({ value: each, pointer: joinPointer(at, index) });
  }
}
