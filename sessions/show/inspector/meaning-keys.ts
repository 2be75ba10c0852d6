import { typesIn } from "../../../generator/model/type-checks.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { shortText } from "../../read/remembered.js";

/** Maximum length of a key, and maximum depth to which values are included in it. */
const maxKey = 400;
const maxDepth = 6;

/**
 * Derives a key from a message's payload, leaving out ids and the folders that files are in, so
 * that messages with the same meaning have the same key in different recordings.
 */
export class MeaningKeys {
  readonly #protocol: Protocol;
  /** Names of properties that hold ids, with the kind of object to which the ids refer. */
  readonly #references: ReadonlyMap<string, string>;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#references = new Map(
      protocol.definitions.flatMap(({ type }) =>
        [...typesIn(type)].flatMap((each) =>
          each.kind !== "object"
            ? []
            : each.properties.flatMap(({ name, reference }) =>
                reference === undefined ? [] : [[name, reference] as const],
              ),
        ),
      ),
    );
  }

  /** Returns a message's meaning key, which is derived from its payload. */
  keyOf(message: object, kind: "request" | "response" | "event"): string {
    const { envelope } = this.#protocol;
    const field = kind === "response" ? envelope.response?.result : envelope[kind].payload;
    const payload = (message as Readonly<Record<string, unknown>>)[field ?? ""];
    return payload === undefined ? "" : shortText(JSON.stringify(this.#plain(payload, 0)), maxKey);
  }

  #plain(value: unknown, depth: number): unknown {
    if (typeof value === "string") return plainText(value);
    if (typeof value !== "object" || value === null || depth > maxDepth) return value;
    if (Array.isArray(value)) return value.slice(0, 20).map((each) => this.#plain(each, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, each]) => {
          const reference = this.#references.get(name);
          // The id 0 does not identify an object.
          return [
            name,
            reference === undefined || each === 0 ? this.#plain(each, depth + 1) : reference,
          ];
        })
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
  }
}

/**
 * Removes the folders from a path. In any other string, replaces hexadecimal numbers and numbers
 * with five or more digits.
 */
function plainText(text: string): string {
  if (/^(?:[a-z]+:\/\/|\/|[a-zA-Z]:[\\/])\S+$/.test(text)) return text.replace(/^.*[\\/]/, "");
  return text.length < maxKey ? text.replace(/0x[0-9a-f]+|\d{5,}/gi, "#") : text.slice(0, maxKey);
}
