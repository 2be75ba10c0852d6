import { isDeepStrictEqual } from "node:util";
import { parsePointer, partOf } from "../runtime/base/json-pointer.js";
import { InputError } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../generator/read/source/json-text.js";
import { readCommentedFile, readCommentedText } from "./commented-json.js";
import { requestNames, type ConfigurationSource } from "./configuration-set.js";
import { editJson } from "./edit-json.js";
import { localize, localizedTexts, textKey, type LocalizedTexts } from "./localized-texts.js";
import { textFileOf } from "./read-manifest.js";
import { readValueSchema } from "./read-value-schema.js";
import { markdownKeywords, schemaJson, writtenKeywords } from "./schema-json.js";

/**
 * Replaces the attributes in a VS Code extension's package.json with those of a source, and updates
 * the extension's localized strings. Attributes that are already equal keep their formatting, and
 * all other text is left unchanged.
 *
 * @returns The content of each file, keyed by path.
 * @throws InputError if the file does not contain the debugger, or if the attributes cannot be
 * written.
 */
export async function writeManifest(
  path: string,
  source: ConfigurationSource,
): Promise<ReadonlyMap<string, string>> {
  const { text } = await readCommentedFile(path);
  const textPath = textFileOf(path);
  const texts = textPath === undefined ? undefined : (await readCommentedFile(textPath)).text;
  const editor = new ManifestEditor(path, text, texts);
  for (const type of new Set(source.sets.map((set) => set.type))) editor.write(type, source);
  return new Map([
    [path, editor.text],
    ...(textPath === undefined ? [] : [[textPath, editor.texts] as const]),
  ]);
}

class ManifestEditor {
  text: string;
  texts: string;
  readonly #path: string;
  readonly #localized: LocalizedTexts;

  constructor(path: string, text: string, texts: string | undefined) {
    this.#path = path;
    this.text = text;
    this.texts = texts ?? "";
    this.#localized =
      texts === undefined ? new Map() : localizedTexts(readCommentedText(texts, path).value);
  }

  /** Writes the attributes of one debug type. */
  write(type: string, source: ConfigurationSource): void {
    const entry = this.#debugger(type);
    const attributes = joinPointer(entry, "configurationAttributes");
    for (const request of requestNames) {
      const set = source.sets.find((each) => each.type === type && each.request === request);
      const pointer = joinPointer(attributes, request);
      if (set === undefined) this.#set(pointer, undefined);
      else {
        const { definitions, ...schema } = set.schema;
        const json = schemaJson(schema, definitions);
        if (json === undefined)
          throw new InputError(
            "ERR_REF_CYCLE",
            "Cannot write a schema that refers to itself: editors insert it into another schema, without definitions",
            source.locate(set.pointer),
          );
        this.#schema(pointer, json);
      }
    }
  }

  get #value(): Json {
    return readCommentedText(this.text, this.#path).value;
  }

  #debugger(type: string): string {
    const list = "/contributes/debuggers";
    const debuggers = valueAt(this.#value, list);
    const index = Array.isArray(debuggers)
      ? debuggers.findIndex((each: Json) => isJsonObject(each) && each["type"] === type)
      : -1;
    if (index >= 0) return joinPointer(list, index);
    throw new InputError(
      "ERR_OUTPUT",
      `Cannot find the debugger "${type}"`,
      readCommentedText(this.text, this.#path).locate(list),
      `Add { "type": "${type}", "label": … } to contributes.debuggers`,
    );
  }

  #schema(at: string, json: Json): void {
    const before = valueAt(this.#value, at);
    if (before !== undefined && this.#saysSame(before, json)) return;
    if (!isJsonObject(before) || !isJsonObject(json)) return this.#set(at, json);
    const named = renamedTexts(before, json);
    for (const key of Object.keys(before))
      if (writtenKeywords.has(key) && named[key] === undefined)
        this.#set(joinPointer(at, key), undefined);
    for (const [key, value] of Object.entries(named)) {
      const pointer = joinPointer(at, key);
      const properties = before[key];
      if (key !== "properties" || !isJsonObject(value) || !isJsonObject(properties))
        this.#keyword(pointer, properties, value);
      else {
        for (const name of Object.keys(properties))
          if (!Object.hasOwn(value, name)) this.#set(joinPointer(pointer, name), undefined);
        for (const [name, each] of Object.entries(value))
          this.#schema(joinPointer(pointer, name), each);
      }
    }
  }

  #keyword(at: string, before: Json | undefined, value: Json): void {
    const key = parsePointer(at).at(-1)!;
    if (before !== undefined && this.#saysSame({ [key]: before }, { [key]: value })) return;
    const text = before === undefined ? undefined : textKey(before);
    if (text === undefined || !this.#localized.has(text) || typeof value !== "string")
      return this.#set(at, value);
    this.#setText(text, value);
  }

  /** Returns whether two schemas are equivalent, even if they are written differently. */
  #saysSame(a: Json, b: Json): boolean {
    const read = (value: Json): unknown => {
      const file = { locate: () => ({}) };
      const localized = localize(value, this.#localized, "", () => undefined);
      try {
        return readValueSchema({ file, referred: new Map(), notes: [] }, localized, "");
      } catch {
        // Treat an unreadable schema as different, so that it is replaced.
        return undefined;
      }
    };
    const [left, right] = [read(a), read(b)];
    return left !== undefined && isDeepStrictEqual(left, right);
  }

  #set(at: string, value: Json | undefined): void {
    if (value === undefined && valueAt(this.#value, at) === undefined) return;
    this.text = editJson(this.text, at, value);
  }

  #setText(key: string, value: string): void {
    const isObject = isJsonObject(
      valueAt(readCommentedText(this.texts, this.#path).value, joinPointer("", key)),
    );
    this.texts = editJson(
      this.texts,
      joinPointer("", key, ...(isObject ? ["message"] : [])),
      value,
    );
  }
}

/**
 * Renames the keywords that hold descriptions to match those used in the file: `description` or
 * `markdownDescription`.
 */
function renamedTexts(before: JsonObject, json: JsonObject): JsonObject {
  const names = new Map(
    Object.entries(markdownKeywords).flatMap((pair) => {
      const name = pair.findLast((each) => each in before);
      return name === undefined ? [] : pair.map((each) => [each, name] as const);
    }),
  );
  return Object.fromEntries(
    Object.entries(json).map(([keyword, value]) => [names.get(keyword) ?? keyword, value]),
  );
}

function valueAt(value: Json, pointer: string): Json | undefined {
  return partOf(value, pointer) as Json | undefined;
}
