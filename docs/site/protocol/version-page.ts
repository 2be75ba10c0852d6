import type { Message } from "../../../generator/model/protocol.js";
import type { Since } from "../../../generator/model/first-versions.js";

/** A protocol's messages, and functions to look up its definitions. */
export interface Book {
  readonly messages: readonly Message[];
  /** Returns a link to a definition's page. */
  readonly linkOf: (definition: string) => string;
  /** Returns the message that a definition describes or is part of. */
  readonly messageOf: (definition: string) => Message | undefined;
}

/**
 * Prints the additions in each version, newest version first. Parts of new messages and types are
 * not listed separately.
 */
export function printVersions(names: readonly Since[], book: Book): string {
  const [first] = names;
  const versions = [...new Set(names.map(({ version }) => version))];
  return versions
    .filter((version) => version !== first?.version)
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => {
      const added = names.filter((each) => each.version === version);
      const lines = [...newMessages(added, book), ...newPlaces(added, names, book)];
      return `## ${version}\n\n${lines.map((line) => `- ${line}\n`).join("")}`;
    })
    .join("\n");
}

function newMessages(added: readonly Since[], book: Book): readonly string[] {
  return book.messages
    .filter((message) => isNew(message, added))
    .map(({ kind, definition }) => `The ${kind} ${book.linkOf(definition)}`);
}

/**
 * Lists new definitions, as well as new fields and values in existing definitions. Each definition
 * is listed only once.
 */
function newPlaces(
  added: readonly Since[],
  names: readonly Since[],
  book: Book,
): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { kind, at } of added) {
    if (kind === "message") continue;
    const [, definition = at, place = ""] = /^([^. ]+)([^]*)$/.exec(at) ?? [];
    const message = book.messageOf(definition);
    if (message !== undefined && isNew(message, added)) continue;
    const property = / = /.test(place) ? at.replace(/ = [^]*$/, "") : undefined;
    if (property !== at && added.some((each) => each.at === property)) continue;
    places.set(definition, [...(places.get(definition) ?? []), place.replace(/^\.| = /, "")]);
  }
  return [...places].map(([definition, parts]) => {
    const isNewType = names
      .filter(({ at }) => at.startsWith(`${definition}.`) || at.startsWith(`${definition} = `))
      .every((each) => added.includes(each));
    const link = book.linkOf(definition);
    return isNewType
      ? `The type ${link}`
      : `${link}: ${parts.map((part) => `\`${part}\``).join(", ")}`;
  });
}

function isNew({ kind, name }: Message, added: readonly Since[]): boolean {
  return added.some(({ at }) => at === `${kind} ${name}`);
}
