import type { Faults } from "../../base/faults.js";
import { nearest } from "../../base/input-error.js";
import type { Payload, Protocol, SummaryPlace } from "../../model/protocol.js";
import { definitionsByName } from "../../model/queries.js";
import { canLead } from "../../model/type-at.js";
import type { Description } from "../description/description-types.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";

/** Determines which values to show in message summaries. */
export function readSummaries({ summaries }: Description): Protocol["summaries"] {
  return (
    summaries &&
    Object.fromEntries(
      Object.entries(summaries).map(([selector, places]) => [selector, places.map(readPlace)]),
    )
  );
}

/**
 * Parses a location such as `lines breakpoints/*\/line|lines/*`. All words but the last form the
 * label.
 */
function readPlace(text: string): SummaryPlace {
  const space = text.lastIndexOf(" ");
  const paths = text
    .slice(space + 1)
    .split("|")
    .map((path) => path.split("/"));
  return space < 0 ? { paths } : { label: text.slice(0, space), paths };
}

/** Checks that all messages that have summaries exist, and so do all values in these summaries. */
export function checkSummaries(protocol: Protocol, file: JsonFile, faults: Faults): void {
  const definitions = definitionsByName(protocol);
  const payloads = payloadsOf(protocol);
  for (const [selector, places] of Object.entries(protocol.summaries ?? {})) {
    const payload = payloads.get(selector);
    if (!payloads.has(selector)) {
      const guess = nearest(selector, payloads.keys());
      faults.add(
        "ERR_DESCRIPTION",
        `Cannot find the message "${selector}" in version ${protocol.version}`,
        file.locate(joinPointer("/summaries", selector)),
        guess === undefined ? undefined : `Did you mean "${guess}"?`,
      );
      continue;
    }
    for (const [index, { paths }] of places.entries())
      for (const path of paths)
        if (payload === undefined || !canLead(definitions, payload.type, path))
          faults.add(
            "ERR_DESCRIPTION",
            `Cannot find "${path.join("/")}" in the payload of "${selector}"`,
            file.locate(joinPointer("/summaries", selector, index)),
          );
  }
}

/**
 * Collects the payloads of all messages, keyed by selector, such as `request NAME` or
 * `success NAME`.
 */
function payloadsOf({ messages }: Protocol): ReadonlyMap<string, Payload | undefined> {
  return new Map(
    messages.flatMap((message) => [
      [`${message.kind} ${message.name}`, message.payload] as const,
      ...(message.kind === "request" && message.responseDefinition !== undefined
        ? [[`success ${message.name}`, message.result] as const]
        : []),
    ]),
  );
}
