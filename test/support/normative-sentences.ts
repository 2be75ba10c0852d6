import { isObject } from "../../runtime/index.js";

/** A sentence that imposes a requirement on a side, and where it is in the schema. */
export interface NormativeSentence {
  /** The address, in the form `Definition/property`. */
  readonly place: string;
  /** The sentence's position in its description, counted from 1. */
  readonly sentence: number;
  readonly text: string;
}

/** Words that specifications use to impose a requirement or to define a meaning. */
const binding =
  /\b(must|should|shall|expected to|not allowed|(?:can|may) (?:not|only)|cannot|only (?:call|used?|be|valid|sent|honored|supported|render|refetch)|(?:has|have|needs?) to|refrain|unique|assumed?|no longer valid|not necessary|only (?:necessary|if)|first sends|same order|same number|sorted|intact|exactly|required|deprecated)\b/i;

/** Keys on the path to a property that are not property names. */
const structure: ReadonlySet<string> = new Set([
  "definitions",
  "properties",
  "allOf",
  "anyOf",
  "oneOf",
  "items",
  "additionalProperties",
]);

/** Finds the sentences in a JSON Schema that impose requirements on a side, in document order. */
export function normativeSentences(schema: object): readonly NormativeSentence[] {
  const found: NormativeSentence[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, path);
      return;
    }
    if (!isObject(node)) return;
    const { description } = node;
    if (typeof description === "string")
      for (const [index, text] of sentencesOf(description).entries())
        if (binding.test(text)) found.push({ place: placeOf(path), sentence: index + 1, text });
    for (const [key, value] of Object.entries(node))
      if (key !== "description" && key !== "enumDescriptions")
        visit(value, structure.has(key) ? path : [...path, key]);
  };
  visit(schema, []);
  return found;
}

function sentencesOf(description: string): readonly string[] {
  return description
    .split(/(?<=[.!?])\s+|\n+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** Omits `body` inside an address, because a body is part of its message. */
function placeOf(path: readonly string[]): string {
  return path.filter((each, index) => each !== "body" || index === path.length - 1).join("/");
}
