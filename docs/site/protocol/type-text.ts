import { markup, type Markup, type MarkupPart } from "../../../generator/print/html-text.js";
import type { Type } from "../../../generator/model/types.js";

/** Returns the address of a definition's page, or undefined if it does not have one. */
export type AddressOf = (definition: string) => string | undefined;

/**
 * Prints a type on one line for a table of fields, with links to the definitions that it refers to.
 */
export function printTypeText(type: Type, addressOf: AddressOf): Markup {
  return markup`<code>${linked(type, addressOf)}</code>`;
}

function linked(type: Type, addressOf: AddressOf): MarkupPart {
  switch (type.kind) {
    case "reference": {
      const address = addressOf(type.name);
      return address === undefined ? type.name : markup`<a href="${address}">${type.name}</a>`;
    }
    case "literal":
      return JSON.stringify(type.value);
    case "enum":
      return type.values.length > 0
        ? typeof type.values[0]!.value + (type.open ? "" : " (listed)")
        : "never";
    case "array":
      return type.first === undefined
        ? [grouped(type.items, addressOf), "[]"]
        : [
            "[",
            joined(
              type.first.map((each) => linked(each, addressOf)),
              ", ",
            ),
            "]",
          ];
    case "map":
      return ["{ [key]: ", linked(type.values, addressOf), " }"];
    case "union":
      return joined(
        type.members.map((each) => linked(each, addressOf)),
        " | ",
      );
    default:
      return type.kind;
  }
}

function grouped(type: Type, addressOf: AddressOf): MarkupPart {
  const text = linked(type, addressOf);
  return type.kind === "union" ? ["(", text, ")"] : text;
}

function joined(parts: readonly MarkupPart[], separator: string): MarkupPart {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
}
