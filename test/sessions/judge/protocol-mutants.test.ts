import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol, type OpenProtocol } from "../../../cli/index.js";
import { LintSession } from "../../../sessions/judge/lint-session.js";
import { partOf } from "../../../runtime/base/json-pointer.js";
import type { RecordedEntry } from "../../../sessions/read/recording.js";
import { fromRoot } from "../../support/paths.js";
import { shorthandsOf, writtenMessages } from "../../support/written-messages.js";

/** Changes to a clean session that a protocol's statements forbid. */
interface Forbidden {
  /**
   * Whether each request must have exactly one response. If so, the tests drop each response once
   * and duplicate it once.
   */
  readonly answers: boolean;
  /** Labels of messages that must not be repeated. */
  readonly once: readonly string[];
  /**
   * Where ids are found: a message label and a pointer. The tests replace each of these ids with an
   * unknown one.
   */
  readonly ids: readonly (readonly [label: RegExp, pointer: string])[];
  /**
   * Arrays that must have one item for each requested item. The tests remove the first item, and
   * repeat it at the end.
   */
  readonly counted: readonly (readonly [label: RegExp, pointer: string])[];
  /** Messages that are moved before another message. */
  readonly moved: readonly (readonly [label: RegExp, before: RegExp])[];
  readonly dropped: readonly RegExp[];
  /** Values of a valid type that are wrong where they are. */
  readonly values: readonly (readonly [label: RegExp, pointer: string, value: unknown])[];
}

const forbidden: Readonly<Record<string, Forbidden>> = {
  sqltools: {
    answers: true,
    once: [
      "request initialize",
      "event started",
      "event connection/complete",
      "event query/complete",
    ],
    ids: [
      [
        /query\/(executeString|subset|dispose)$|connection\/(listdatabases|disconnect)$/,
        "/params/ownerUri",
      ],
      [/^event (query|connection)\//, "/params/ownerUri"],
      [/^event textDocument\/did(Change|Close)|hover/, "/params/textDocument/uri"],
      [/^request (change|close)$/, "/params/file"],
      [/stackTrace/, "/params/threadId"],
      [/scopes|evaluate/, "/params/frameId"],
      [/request variables/, "/params/variablesReference"],
    ],
    counted: [[/response setBreakpoints/, "/result/breakpoints"]],
    moved: [
      [/event started/, /request open/],
      [/event workspace/, /request initialize/],
      [/request connection\/connect/, /request initialize/],
      [/event query\/batchStart/, /request query\/executeString/],
      [/event query\/message/, /request shutdown/],
      [/event connection\/complete/, /request connection\/connect/],
      [/request query\/executeString/, /request connection\/connect/],
      [/request query\/subset/, /request query\/executeString/],
      [/request change/, /request open/],
      [/request hover|textDocument\/hover/, /event textDocument\/didOpen/],
      [/event syntaxDiag/, /request geterr/],
      [/event stopped/, /request disconnect/],
      [/request stackTrace/, /event stopped/],
      [/request next/, /request shutdown/],
      [/event exit/, /request shutdown/],
    ],
    dropped: [
      /event textDocument\/didOpen/,
      /request open/,
      /event connection\/complete/,
      /request geterr/,
      /request launch/,
      /request shutdown/,
    ],
    values: [
      [/request (open|change|close)$/, "/params/file", "a.ps1"],
      [/request geterr/, "/params/files/0", "a.ps1"],
      [/textDocument\/hover/, "/params/position/line", -1],
      [/textDocument\/hover/, "/params/position/character", -3],
      [/request change/, "/params/line", 0],
      [/request change/, "/params/offset", 0],
      [/request completions/, "/params/line", 0],
    ],
  },
  "ruby-debug-ide": {
    answers: true,
    once: ["request start"],
    ids: [
      [/request delete|able$/, "/arguments/breakpoints/0"],
      [/request condition/, "/arguments/breakpoint"],
      [/event (breakpointEnabled|breakpointDisabled|conditionSet)/, "/body/bp_id"],
      [/event breakpointDeleted/, "/body/no"],
      [/thread switch/, "/arguments/thread"],
      [/request frame/, "/arguments/frame"],
    ],
    counted: [],
    moved: [
      [/request where/, /request start/],
      [/event breakpoint$/, /request start/],
      [/request var local/, /request start/],
      [/request thread switch/, /request start/],
      [/request delete/, /request break/],
      [/request condition/, /request break/],
      [/request eval/, /request start/],
      [/request info break/, /event message/],
    ],
    dropped: [/request catch/, /request start/, /request break/],
    values: [
      [/event (breakpoint|suspended|exception)$/, "/body/file", "a.rb"],
      [/event (breakpoint|suspended|exception)$/, "/body/line", 0],
      [/event frames/, "/body/frames/0/file", "a.rb"],
      [/event frames/, "/body/frames/1/no", 1],
      [/event threads/, "/body/threads/1/id", 1],
      [/event breakpoints/, "/body/breakpoints/1/n", 1],
      [/event breakpointAdded/, "/body/no", 1],
      [/event suspended/, "/body/frames", 0],
      [/request catch/, "/arguments/exception", "off"],
    ],
  },
  "acp-breakpoints": {
    answers: true,
    once: ["request initialize"],
    ids: [
      [/session\/prompt|event session\/update|terminal\//, "/params/sessionId"],
      [/request \d* ?terminal\/(output|release)/, "/params/terminalId"],
      [/event breakpointChanged/, "/params/breakpoint/id"],
      [/event session\/update/, "/params/update/toolCallId"],
      [/setExceptionBreakpoints/, "/params/filters/0"],
      [/setExceptionBreakpoints/, "/params/filterOptions/0/filterId"],
    ],
    counted: [
      [/response .*setBreakpoints/, "/result/breakpoints"],
      [/response .*setFunctionBreakpoints/, "/result/breakpoints"],
      [/response .*setExceptionBreakpoints/, "/result/breakpoints"],
    ],
    moved: [
      [/request .*session\/prompt/, /request .*session\/new/],
      [/event session\/update/, /request .*session\/new/],
      [/event breakpointChanged/, /request .*setBreakpoints/],
      [/request .*setBreakpoints/, /request .*initialize/],
      [/request .*terminal\/output/, /request .*terminal\/create/],
      [/request .*terminal\/release/, /request .*terminal\/output/],
    ],
    dropped: [],
    values: [
      [/setBreakpoints/, "/params/source/path", "a.ts"],
      [/request .*setBreakpoints/, "/params/breakpoints/0/line", 0],
      [/setExceptionBreakpoints/, "/params/filterOptions/0/filterId", "uncaught"],
      ...["sourceBreakpoints", "functionBreakpoints", "supportsEnabled", "supportsConditions"].map(
        (flag) =>
          [
            /request .*initialize/,
            `/params/clientCapabilities/breakpoints/${flag}`,
            false,
          ] as const,
      ),
      [
        /request .*initialize/,
        "/params/clientCapabilities/breakpoints/exceptionBreakpointFilters",
        [],
      ],
    ],
  },
};

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
    // The session deliberately contains the messages of an editor and of a debugger.
    onFinding: ({ rule }) => rule !== "debug.mixed" && rules.add(rule),
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
