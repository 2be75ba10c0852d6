import type { Definition, EnumType, Gate, Json, Property, Type } from "../../model/types.js";
import { docTag, type DocParagraph } from "./doc-comment.js";

/**
 * Returns the paragraphs of a property's doc comment: description, values, range, required
 * capability, default and deprecation.
 */
export function propertyDocs(property: Property): readonly (DocParagraph | undefined)[] {
  return [
    ...describe(property.docs, property.type),
    gateDocs(property.gate, property.docs),
    // Leave out the default of a required property. A default is of use only to readers, and
    // writers always send such a property.
    ...(property.default === undefined || property.required
      ? []
      : [docTag("default", JSON.stringify(property.default satisfies Json))]),
    ...sinceDocs(property.since),
    ...deprecationDocs(property.deprecated),
  ];
}

/** Returns the paragraphs of a definition's doc comment. */
export function definitionDocs(definition: Definition): readonly DocParagraph[] {
  return [
    ...describe(definition.docs, definition.type),
    ...sinceDocs(definition.since),
    ...deprecationDocs(definition.deprecated),
  ];
}

/** Names the capability that something requires, unless its description already names it. */
export function gateDocs(gate: Gate | undefined, docs = ""): string | undefined {
  if (gate === undefined || docs.includes(`\`${gate.capability}\``)) return undefined;
  return `Requires \`${gate.capability}\`, announced by the ${gate.role}.`;
}

export function deprecationDocs(reason: string | undefined): readonly DocParagraph[] {
  return reason === undefined ? [] : [docTag("deprecated", reason)];
}

function sinceDocs(version: string | undefined): readonly DocParagraph[] {
  return version === undefined ? [] : [docTag("since", version)];
}

/** Returns a description and what the type adds to it: on the same line if both are sentences. */
function describe(docs: string | undefined, type: Type): readonly string[] {
  const [fact, ...more] = typeDocs(type);
  if (docs === undefined || fact === undefined)
    return [docs, fact, ...more].filter((each) => each !== undefined);
  return /^.*\.$/.test(docs) && !fact.startsWith("- ")
    ? [`${docs} ${fact}`, ...more]
    : [docs, fact, ...more];
}

/**
 * Documents facts that a TypeScript type cannot express: the meanings of enum values and the ranges
 * of numbers.
 */
function typeDocs(type: Type): readonly string[] {
  switch (type.kind) {
    case "enum":
      return enumDocs(type);
    case "integer":
    case "number":
      return type.minimum === undefined && type.maximum === undefined
        ? []
        : [rangeDocs(type.kind, type.minimum, type.maximum)];
    case "array":
      return typeDocs(type.items);
    case "map":
      return [
        ...(type.docs === undefined ? [] : [`Values: ${type.docs}`]),
        ...typeDocs(type.values),
      ];
    case "union":
      return type.members.flatMap(typeDocs);
    default:
      return [];
  }
}

function enumDocs(type: EnumType): readonly string[] {
  const described = type.values.flatMap(({ value, docs, since }) => {
    const parts = [
      ...(docs === undefined ? [] : [docs]),
      ...(since === undefined ? [] : [`(since ${since})`]),
    ];
    return parts.length === 0 ? [] : [`- \`${JSON.stringify(value)}\`: ${parts.join(" ")}`];
  });
  return described.length === 0 ? [] : [described.join("\n")];
}

function rangeDocs(kind: string, minimum: number | undefined, maximum: number | undefined): string {
  const noun = kind === "integer" ? "Integer" : "Number";
  if (minimum === undefined) return `${noun} up to ${boundText(maximum!)}.`;
  if (maximum === undefined) return `${noun} from ${boundText(minimum)}.`;
  return `${noun} from ${boundText(minimum)} to ${boundText(maximum)}.`;
}

/**
 * Formats a bound of a range. The bounds of machine integers are shown as powers, which are easier
 * to read.
 */
function boundText(value: number): string {
  const power = Math.log2(Math.abs(value) + (value > 0 ? 1 : 0));
  if (Number.isInteger(power) && power >= 15) return value > 0 ? `2^${power}-1` : `-2^${power}`;
  return value === Number.MIN_SAFE_INTEGER ? "-(2^53-1)" : String(value);
}
