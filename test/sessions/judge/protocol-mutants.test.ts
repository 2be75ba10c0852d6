import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol, type OpenProtocol } from "../../../cli/index.js";
import { LintSession } from "../../../sessions/judge/lint-session.js";
import { partOf } from "../../../runtime/base/json-pointer.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { fromRoot } from "../../support/paths.js";
import { shorthandsOf, writtenMessages } from "../../support/written-messages.js";
import { forbidden, type Forbidden } from "../../support/forbidden-statements.js";

type Session = readonly RecordedEntry[];
type Mutant = readonly [what: string, session: Session];

for (const [name, rules] of Object.entries(forbidden)) {
  const protocol = await openProtocol(name);
  const page = readFileSync(fromRoot(`schema/${name}/rule-examples.md`), "utf8");
  const [, text] = /^## A long session\n[^`]*(?:`[^`\n]+`[^`]+)*```\n([^`]+)```$/m.exec(page)!;
  const clean = writtenMessages(text!, protocol, shorthandsOf(page));

  test(`the clean ${name} session has no findings`, () => {
    assert.deepEqual([...judge(protocol, clean).rules], []);
  });

  test(`a violation of each statement about ${name} is found`, () => {
    const mutants = mutantsOf(clean, judge(protocol, clean).labels, rules, protocol);
    const missed = mutants.flatMap(([what, session]) =>
      judge(protocol, session).rules.size === 0 ? [what] : [],
    );
    assert.ok(mutants.length > 40, String(mutants.length));
    assert.ok(
      missed.length <= mutants.length * 0.05,
      `${missed.length} of ${mutants.length}: ${missed.join("; ")}`,
    );
  });

  test(`a property that is missing or has the wrong type in a ${name} session is found`, () => {
    const { labels } = judge(protocol, clean);
    const all = clean.flatMap((entry, index) => typeMutants(entry, index, labels[index]!, clean));
    const missed = all.flatMap(([what, session]) =>
      judge(protocol, session).rules.size === 0 ? [what] : [],
    );
    assert.ok(all.length > 60, String(all.length));
    assert.ok(
      missed.length <= all.length * 0.05,
      `${missed.length} of ${all.length}: ${missed.join("; ")}`,
    );
  });
}

function judge(
  protocol: OpenProtocol,
  entries: Session,
): { readonly rules: ReadonlySet<string>; readonly labels: readonly string[] } {
  const rules = new Set<string>();
  const labels: string[] = [];
  const session = new LintSession(protocol, {
    isFromStart: true,
    onFinding: ({ rule }) => rules.add(rule),
    onMessage: ({ kind, name = "" }) => labels.push(`${kind} ${name}`),
  });
  for (const entry of entries) session.push(entry);
  session.end();
  return { rules, labels };
}

function mutantsOf(
  clean: Session,
  labels: readonly string[],
  { answers, once, ids, counted, moved, dropped, values }: Forbidden,
  protocol: OpenProtocol,
): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const at = (index: number): string => `${labels[index]} #${index + 1}`;
  const where = (label: RegExp): readonly number[] =>
    labels.flatMap((each, index) => (label.test(each) ? [index] : []));
  const answering = new Set(
    protocol.messages.flatMap((each) =>
      each.kind === "request" ? (each.answers?.answers ?? []).filter(isSure) : [],
    ),
  );
  if (answers)
    for (const [index, label] of labels.entries()) {
      const isAnswer = label.startsWith("response ") || answering.has(label.slice(6));
      if (!isAnswer) continue;
      mutants.push([`repeat ${at(index)}`, clean.toSpliced(index, 0, clean[index]!)]);
      // Keep the final messages, because the last request may have ended the session.
      if (index < clean.length - 4) mutants.push([`drop ${at(index)}`, clean.toSpliced(index, 1)]);
    }
  for (const label of once)
    for (const index of where(new RegExp(`^${label}$`)))
      mutants.push([`repeat ${at(index)}`, clean.toSpliced(index + 1, 0, clean[index]!)]);
  const change = (index: number, pointer: string, value: unknown): void => {
    const before = partOf(clean[index]!.message, pointer);
    if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return;
    mutants.push([
      `${at(index)} with ${JSON.stringify(value)} at ${pointer}`,
      replaced(clean, index, pointer, value),
    ]);
  };
  for (const [label, pointer] of ids)
    for (const index of where(label)) {
      const before = partOf(clean[index]!.message, pointer);
      const { reason } = (partOf(clean[index]!.message, "/params") ?? {}) as { reason?: string };
      if (reason === "new" || partOf(clean[index]!.message, "/params/update/title") !== undefined)
        continue;
      change(index, pointer, typeof before === "number" ? 99_999 : "/nothing:else");
    }
  for (const [label, pointer] of counted)
    for (const index of where(label)) {
      const list = partOf(clean[index]!.message, pointer) as readonly unknown[];
      change(index, pointer, list.slice(1));
      change(index, pointer, [...list, list[0]]);
    }
  for (const [label, before] of moved)
    for (const index of where(label).slice(0, 1)) {
      const place = where(before)[0]!;
      const target = place > index ? clean.length : place;
      mutants.push([
        `${at(index)} before ${at(place)}`,
        target < index
          ? clean.toSpliced(index, 1).toSpliced(target, 0, clean[index]!)
          : clean.toSpliced(target, 0, clean[index]!).toSpliced(index, 1),
      ]);
    }
  for (const label of dropped)
    for (const index of where(label).slice(0, 1))
      mutants.push([`drop ${at(index)}`, clean.toSpliced(index, 1)]);
  for (const [label, pointer, value] of values)
    for (const index of where(label)) change(index, pointer, value);
  return mutants;
}

/**
 * Returns whether a missing answer can be detected. If the answer is text, it cannot, because text
 * may arrive at any time.
 */
function isSure(name: string): boolean {
  return name !== "message" && name !== "#text";
}

function replaced(clean: Session, index: number, pointer: string, value: unknown): Session {
  const { message, ...rest } = clean[index]!;
  const copy = structuredClone(message) as Record<string, unknown>;
  const steps = pointer.split("/").slice(1);
  let holder = copy;
  for (const step of steps.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  const last = steps.at(-1)!;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return clean.with(index, { ...rest, message: copy });
}

/** Replaces each scalar in a payload with a scalar of another type. */
function typeMutants(
  { message }: RecordedEntry,
  index: number,
  label: string,
  clean: Session,
): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, `${pointer}/${key}`);
    else if (value !== null && pointer.split("/").length > 2) {
      const other = typeof value === "string" ? { odd: 1 } : "odd";
      mutants.push([
        `${label} #${index + 1} with another type at ${pointer}`,
        replaced(clean, index, pointer, other),
      ]);
    }
  };
  visit(message, "");
  return mutants;
}
