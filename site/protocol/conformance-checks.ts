import type { Message } from "../../generator/model/protocol.js";
import { base } from "../pages/addresses.js";
import { cellText, table } from "./field-table.js";

/** A check of the conformance suite, with the adapters that pass and fail it. */
export interface AdapterCheck {
  readonly id: string;
  /** The behaviour of an adapter that passes. */
  readonly title: string;
  /** The definition or section of the specification that states the behaviour, such as `StoppedEvent.reason`. */
  readonly stated: string;
  /** The capability that the check requires. */
  readonly gate?: string;
  /** Names of messages that the check judges, if its definition does not name them. */
  readonly seen: readonly string[];
  /** Number of adapters to which the check applies. */
  readonly applies: number;
  /** Adapters that fail the check. */
  readonly failing: readonly string[];
}

/**
 * The definitions that a check concerns: the definition that states the behaviour, and the messages
 * that the check judges. If a section states the behaviour, the check concerns the messages that
 * its title names, or otherwise the message that requires its capability.
 */
export function concernedBy(
  { title, stated, seen, gate }: AdapterCheck,
  messages: readonly Message[],
  isListed: (definition: string) => boolean,
): readonly string[] {
  const [definition = ""] = stated.split(".", 1);
  const named = [...title.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const names = isListed(definition) ? seen : [...seen, ...named];
  const judged = messages.filter(({ name }) => names.includes(name));
  const found = [...(isListed(definition) ? [definition] : []), ...judged.map((m) => m.definition)];
  if (found.length > 0 || gate === undefined) return found;
  return messages.filter((message) => message.gate?.capability === gate).map((m) => m.definition);
}

/** Prints a section with the results of some checks; empty without checks. */
export function printChecks(checks: readonly AdapterCheck[], subject: string): readonly string[] {
  if (checks.length === 0) return [];
  const rows = [...checks]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((check) => [
      `[\`${check.id}\`](${base}/conformance/#${check.id})`,
      cellText(check.title),
      resultOf(check),
    ]);
  return [
    `## Conformance of adapters\n\n[The conformance suite](${base}/conformance/) has these checks about ${subject}. A check counts for the adapters that it applies to.\n\n${table(["Check", "The adapter should", "Result"], rows)}`,
  ];
}

function resultOf({ applies, failing }: AdapterCheck): string {
  if (applies === 0) return "applies to none";
  const passing = `${applies - failing.length} of ${applies} pass`;
  return failing.length === 0 ? passing : `${passing}. Fails in ${cellText(failing.join(", "))}`;
}
