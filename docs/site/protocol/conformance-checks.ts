import type { Message } from "../../../generator/model/protocol.js";
import { base } from "../pages/addresses.js";
import { cellText, table } from "./field-table.js";

/** A check from the conformance suite, with the adapters that fail it. */
export interface AdapterCheck {
  readonly id: string;
  /** How an adapter that passes the check behaves. */
  readonly title: string;
  /**
   * The definition or section in the specification that states the behaviour, such as
   * `StoppedEvent.reason`.
   */
  readonly stated: string;
  /** The capability that the check requires. */
  readonly gate?: string;
  /** Names of the messages that the check judges, unless the definition already names them. */
  readonly seen: readonly string[];
  /** Number of adapters to which the check applies. */
  readonly applies: number;
  /** Adapters that fail the check. */
  readonly failing: readonly string[];
}

/**
 * Returns the definitions that a check concerns: the definition that states the behaviour, and the
 * messages that the check judges. If a section states the behaviour, the check concerns the
 * messages named in the section title or, failing that, the message that requires the check's
 * capability.
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
  const listed = [
    ...(isListed(definition) ? [definition] : []),
    ...judged.map((m) => m.definition),
  ];
  if (listed.length > 0 || gate === undefined) return listed;
  return messages.filter((message) => message.gate?.capability === gate).map((m) => m.definition);
}

/** Returns a section with the results of the given checks, or an empty list if there are none. */
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
    `## Adapter conformance\n\n[The conformance suite](${base}/conformance/) includes the following checks for ${subject}. The results only count adapters to which a check applies.\n\n${table(["Check", "The adapter should", "Result"], rows)}`,
  ];
}

function resultOf({ applies, failing }: AdapterCheck): string {
  if (applies === 0) return "applies to no adapter";
  const passing = `${applies - failing.length} of ${applies} pass`;
  return failing.length === 0 ? passing : `${passing}. Fails in ${cellText(failing.join(", "))}`;
}
