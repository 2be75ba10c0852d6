import { setField } from "../runtime/base/own-fields.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer } from "../generator/read/source/json-text.js";

/** The strings in a package.nls.json, by key. */
export type LocalizedTexts = ReadonlyMap<string, string>;

/**
 * Reads the strings in a package.nls.json. A string may also be given as an object with comments
 * for translators.
 */
export function localizedTexts(value: Json): LocalizedTexts {
  if (!isJsonObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([key, text]): (readonly [string, string])[] => {
      const message = isJsonObject(text) ? text["message"] : text;
      return typeof message === "string" ? [[key, message]] : [];
    }),
  );
}

/** Returns a localized string's key: `name` for `%name%`. */
export function textKey(value: Json): string | undefined {
  return typeof value === "string" ? /^%([^%]+)%$/.exec(value)?.[1] : undefined;
}

/**
 * Copies a value, replacing keys such as `%name%` with the localized strings. Unknown keys are left
 * unchanged and reported.
 */
export function localize(
  value: Json,
  texts: LocalizedTexts,
  at: string,
  onUnknown: (key: string, at: string) => void,
): Json {
  const key = textKey(value);
  if (key !== undefined) {
    const text = texts.get(key);
    if (text === undefined) onUnknown(key, at);
    return text ?? value;
  }
  if (Array.isArray(value))
    return value.map((item: Json, index) =>
      localize(item, texts, joinPointer(at, index), onUnknown),
    );
  if (!isJsonObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [name, part] of Object.entries(value))
    setField(copy, name, localize(part, texts, joinPointer(at, name), onUnknown));
  return copy;
}
