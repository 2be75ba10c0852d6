import { itemTypeAt } from "../generator/model/type-checks.js";
import { isObject } from "../runtime/protocol/message-fields.js";
import type { Json, Type } from "../generator/model/types.js";
import { AcceptedValues, readings } from "./compare/accepted-values.js";
import type { Side } from "./compare/side.js";
import type { Finding, Sighting } from "./finding.js";

/** Maximum depth to search. */
const maxDepth = 64;

/**
 * Key under which a session's first message is recorded. A change that affects all messages is
 * reported at that message.
 */
export const anyMessage = "";

/**
 * Records which locations in the model a session's messages use, so that findings can be matched to
 * the messages that they affect.
 */
export class SeenPlaces {
  readonly #side: Side;
  readonly #accepted: AcceptedValues;
  readonly #sightings: Map<string, Sighting>;
  #at: Sighting = { file: "" };

  /**
   * @param sightings Receives each location that occurs, with the first message that contains it.
   */
  constructor(side: Side, sightings: Map<string, Sighting>) {
    this.#side = side;
    this.#sightings = sightings;
    this.#accepted = new AcceptedValues(side, readings.exact);
  }

  /** Records the locations that occur in a message. */
  add(definition: string, message: object, at: Sighting): void {
    this.#at = at;
    if (this.#side.definitions.has(definition))
      this.#walk({ kind: "reference", name: definition }, message, definition, "", 0);
  }

  #walk(type: Type, value: unknown, owner: string, label: string, depth: number): void {
    if (depth > maxDepth || value === undefined) return;
    switch (type.kind) {
      case "reference":
        this.#note(`${owner}${label}`);
        this.#note(type.name);
        this.#walk(this.#side.typeOf(type.name), value, type.name, "", depth + 1);
        return;
      case "union": {
        this.#note(`${owner}${label}`);
        const matching = type.members.filter((each) => this.#accepted.has(each, value as Json));
        for (const member of matching.length > 0 ? matching : type.members)
          this.#walk(member, value, owner, label, depth + 1);
        return;
      }
      case "object":
        if (!isObject(value)) return;
        for (const property of this.#side.propertiesOf(type)) {
          if (!Object.hasOwn(value, property.name)) continue;
          const below = `.${property.name}`;
          const stated = property.owner ?? owner;
          this.#note(`${stated}${label}${below}`);
          // Alternatives may have the property from a definition that they extend.
          const declarer = this.#side.declarerOf(property) ?? stated;
          const rest = declarer === stated ? `${label}${below}` : below;
          this.#note(declarer);
          this.#note(`${declarer}${rest}`);
          this.#walk(property.type, value[property.name], declarer, rest, depth + 1);
        }
        return;
      case "map":
        if (isObject(value))
          for (const each of Object.values(value))
            this.#walk(type.values, each, owner, `${label}{}`, depth + 1);
        return;
      case "array":
        if (Array.isArray(value))
          for (const [index, each] of value.entries())
            this.#walk(itemTypeAt(type, index), each, owner, `${label}[]`, depth + 1);
        return;
      default:
        this.#note(`${owner}${label}`);
        if (typeof value === "string" || typeof value === "number")
          this.#note(`${owner}${label} = ${JSON.stringify(value)}`);
    }
  }

  #note(place: string): void {
    if (!this.#sightings.has(place)) this.#sightings.set(place, this.#at);
  }
}

/**
 * Matches rules about changes that affect a message even if it lacks the property. It is enough for
 * the message to contain an object that could have the property.
 */
const byAbsence =
  /^(prop\.(added-required|removed-required|became-|renamed-|required-name)|body\.(added-required|became-|removed$)|default\.)/;

/**
 * Returns the location of the first message that a finding affects, or undefined if there is none.
 */
export function sightingOf(
  { rule, at, message: change }: Finding,
  sightings: ReadonlyMap<string, Sighting>,
): Sighting | undefined {
  const sighting = sightings.get(at);
  if (sighting !== undefined) return sighting;
  if (rule.startsWith("wire.")) return sightings.get(anyMessage);
  if (rule === "message.renamed") {
    const [kind = ""] = at.split(" ", 1);
    return sightings.get(`${kind} ${change.split(" → ", 1)[0]!}`);
  }
  if (byAbsence.test(rule)) return sightings.get(at.slice(0, at.lastIndexOf(".")));
  const alternative = at.indexOf(" | ");
  return alternative < 0 ? undefined : sightings.get(at.slice(0, alternative));
}
