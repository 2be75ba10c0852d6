import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { visitFields } from "@wirewright/dap";
import { partOf } from "../../../runtime/base/json-pointer.js";
import { readProtocol } from "../../../cli/index.js";
import { readSessionRules } from "../../../sessions/judge/session-rules.js";
import { fromRoot } from "../../support/paths.js";
import { writtenSession } from "../../support/written-messages.js";
import { findingsOf } from "../../support/judged-entries.js";

const dap = await readProtocol("dap");
const rules = await readSessionRules("dap");
const page = readFileSync(fromRoot("schema/dap/rule-examples.md"), "utf8");
const clean = writtenSession(
  /^## A long session[^`]+(?:`[^`\n]+`[^`]+)*```\n([^`]+)```$/m.exec(page)![1]!,
);

interface Entry {
  readonly from?: string;
  readonly message?: object;
}

/** A message of a session. */
interface Message {
  readonly seq: number;
  readonly type: "request" | "response" | "event";
  readonly command?: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Returns the rules that have findings in a session. */
function found(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(findingsOf(dap, entries, { rules }).map(({ rule }) => rule));
}

const messageOf = ({ message }: Entry): Message => message as Message;
const nameOf = (entry: Entry): string => {
  const { type, command, event } = messageOf(entry);
  return `${type} ${command ?? event}`;
};
const without = (index: number): readonly Entry[] => clean.toSpliced(index, 1);
const replaced = (index: number, message: object): readonly Entry[] =>
  clean.with(index, { ...clean[index]!, message });

/** Repeats a message under a new id, as a peer does if it sends the message twice. */
function repeated(index: number): readonly Entry[] {
  const { from } = clean[index]!;
  const last = clean.findLast((each) => each.from === from)!;
  const seq = messageOf(last).seq + 1;
  return renumbered(
    clean.toSpliced(index + 1, 0, { from: from!, message: { ...messageOf(clean[index]!), seq } }),
  );
}

/** Assigns increasing ids to each side's messages and updates the ids in responses. */
function renumbered(entries: readonly Entry[]): readonly Entry[] {
  const numbers = new Map<string, number>();
  const renamed = new Map<number, number>();
  return entries.map(({ from = "", message }) => {
    const seq = (numbers.get(from) ?? 0) + 1;
    numbers.set(from, seq);
    const own = message as Message;
    if (own.type === "request" && !renamed.has(own.seq)) renamed.set(own.seq, seq);
    const asked =
      own.request_seq === undefined ? {} : { request_seq: renamed.get(own.request_seq) };
    return { from, message: { ...own, seq, ...asked } };
  });
}

/** Moves a message to an earlier position. */
function moved(index: number, before: number): readonly Entry[] {
  return renumbered(clean.toSpliced(index, 1).toSpliced(before, 0, clean[index]!));
}

const indexesOf = (...names: readonly string[]): readonly number[] =>
  clean.flatMap((each, index) => (names.includes(nameOf(each)) ? [index] : []));

/** Altered sessions, each with a description of the change. */
type Mutants = readonly (readonly [what: string, session: readonly Entry[]])[];

const at = (index: number): string => `${nameOf(clean[index]!)} #${index + 1}`;

const dropped: Mutants = [
  ...clean.flatMap((each, index) =>
    messageOf(each).type === "response" && index < clean.length - 1
      ? [[`drop ${at(index)}`, without(index)] as const]
      : [],
  ),
  ...indexesOf(
    "event initialized",
    "request configurationDone",
    "request setExceptionBreakpoints",
    "request setFunctionBreakpoints",
    "event progressStart",
    "event progressEnd",
  ).map((index) => [`drop ${at(index)}`, without(index)] as const),
];

const twice: Mutants = [
  ...clean.flatMap((each, index) =>
    messageOf(each).type === "response" ? [[`repeat ${at(index)}`, repeated(index)] as const] : [],
  ),
  ...indexesOf(
    "request initialize",
    "request launch",
    "request configurationDone",
    "event initialized",
    "event terminated",
    "event exited",
    "event progressStart",
    "event progressEnd",
    "event thread",
    "request disconnect",
  ).map((index) => [`repeat ${at(index)}`, repeated(index)] as const),
  ...indexesOf("event module", "event breakpoint")
    .filter((index) => messageOf(clean[index]!).body?.["reason"] !== "changed")
    .map((index) => [`repeat ${at(index)}`, repeated(index)] as const),
];

const reordered: Mutants = [
  ...indexesOf("event stopped").flatMap((index) => {
    const { reason } = messageOf(clean[index]!).body as { reason: string };
    return ["step", "goto", "restart", "pause"].includes(reason)
      ? [[`${at(index)} before its answer`, moved(index, index - 1)] as const]
      : [];
  }),
  ...indexesOf("event initialized", "event output", "event progressStart").map(
    (index) => [`${at(index)} before the opening`, moved(index, 1)] as const,
  ),
  ...indexesOf("request setBreakpoints", "request setFunctionBreakpoints", "request launch").map(
    (index) => [`${at(index)} before the opening`, moved(index, 1)] as const,
  ),
  ...indexesOf("request setBreakpoints", "request configurationDone").map(
    (index) => [`${at(index)} before initialized`, moved(index, 2)] as const,
  ),
  ...indexesOf("event stopped", "event output", "response terminate").map(
    (index) => [`${at(index)} at the end`, moved(index, clean.length - 1)] as const,
  ),
  ...indexesOf("response launch").map((index) => [`${at(index)} early`, moved(index, 4)] as const),
  ...indexesOf("request scopes", "request variables", "request restartFrame").map(
    (index) =>
      [
        `${at(index)} before what it names`,
        moved(index, indexesOf("request threads")[0]!),
      ] as const,
  ),
];

/** Replaces each reference used by a side with an unknown one. */
const retargeted: Mutants = clean.flatMap((each, index) => {
  const mutants: (readonly [string, readonly Entry[]])[] = [];
  const isUse =
    each.from === "client" || /stopped|breakpoint|progress(Update|End)|module/.test(nameOf(each));
  if (!isUse || messageOf(each).type === "response") return mutants;
  const strange = (kind: string) => (value: unknown, place: string) => {
    if (
      each.from === "adapter" &&
      !/hitBreakpointIds|breakpoint\/id|progressId|module\/id/.test(place)
    )
      return value;
    const { reason } = (messageOf(each).body ?? {}) as { reason?: string };
    if (reason === "new") return value;
    const other = typeof value === "number" ? 99_999_999 : "nothing";
    const message = structuredClone(messageOf(each));
    setAt(message, place, other);
    mutants.push([`${at(index)} with another ${kind}`, replaced(index, message)]);
    return value;
  };
  visitFields(
    messageOf(each) as never,
    {
      frame: strange("frame"),
      variables: strange("reference"),
      thread: strange("thread"),
      sourceReference: strange("source"),
      breakpoint: strange("breakpoint"),
      progress: strange("progress"),
      request: strange("request"),
      target: strange("target"),
      data: strange("data"),
      module: strange("module"),
    } as never,
  );
  const { filters, filterOptions, breakpoints } = (messageOf(each).arguments ?? {}) as Record<
    string,
    unknown[]
  >;
  const change = (place: string): void => {
    const message = structuredClone(messageOf(each));
    setAt(message, place, "nothing");
    mutants.push([`${at(index)} with another ${place}`, replaced(index, message)]);
  };
  if (filters !== undefined) change("/arguments/filters/0");
  if (filterOptions !== undefined) change("/arguments/filterOptions/0/filterId");
  if (nameOf(each) === "request setBreakpoints" && breakpoints !== undefined)
    change("/arguments/breakpoints/0/mode");
  if (nameOf(each) === "request setInstructionBreakpoints")
    change("/arguments/breakpoints/0/instructionReference");
  return mutants;
});

function setAt(message: object, place: string, value: unknown): void {
  const steps = place.split("/").slice(1);
  let holder = message as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) holder = holder[step] as Record<string, unknown>;
  holder[steps.at(-1)!] = value;
}

/** Removes an item from each array in a response, or adds one. */
const miscounted: Mutants = clean.flatMap((each, index) => {
  const { type, command = "", body } = messageOf(each);
  const list = /^set.*Breakpoints$/.test(command)
    ? "breakpoints"
    : command === "disassemble"
      ? "instructions"
      : undefined;
  const items = list === undefined ? undefined : body?.[list];
  if (type !== "response" || !Array.isArray(items)) return [];
  const own = items as unknown[];
  return [own.slice(1), [...own, own[0]]].map(
    (changed) =>
      [
        `${at(index)} with ${changed.length} items`,
        replaced(index, { ...messageOf(each), body: { [list!]: changed } }),
      ] as const,
  );
});

/** Removes each capability that the session depends on. */
const unset: Mutants = [0, 1].flatMap((index) => {
  const field = index === 0 ? "arguments" : "body";
  const flags = messageOf(clean[index]!)[field]!;
  const used = new Set(
    index === 0
      ? ["supportsProgressReporting", "supportsVariableType", "supportsMemoryReferences"]
      : Object.keys(flags).filter((flag) => !/Terminate$|supportsFunction/.test(flag)),
  );
  return Object.keys(flags)
    .filter((flag) => used.has(flag))
    .map((flag) => {
      const { [flag]: _, ...rest } = flags;
      return [
        `without ${flag}`,
        replaced(index, { ...messageOf(clean[index]!), [field]: rest }),
      ] as const;
    });
});

/** Replaces values with others that are valid in themselves, but wrong where they are. */
const misplaced: Mutants = (
  [
    { name: "response stackTrace", place: "/body/stackFrames/0/id", before: 15, after: 14 },
    { name: "request variables", place: "/arguments/variablesReference", before: 133, after: 131 },
    { name: "event stopped", place: "/body/hitBreakpointIds/0", before: 1, after: 2 },
    {
      name: "request setDataBreakpoints",
      place: "/arguments/breakpoints/0/accessType",
      before: "write",
      after: "read",
    },
    { name: "request initialize", place: "/arguments/pathFormat", before: "path", after: "uri" },
    {
      name: "response stackTrace",
      place: "/body/stackFrames/0/source/path",
      before: "/a",
      after: "file:///a",
    },
  ] as const
).map(({ name, place, before, after }) => {
  const index = indexesOf(name).find((each) => partOf(messageOf(clean[each]!), place) === before)!;
  const message = structuredClone(messageOf(clean[index]!));
  setAt(message, place, after);
  return [`${at(index)} with ${after} at ${place}`, replaced(index, message)] as const;
});

test("a clean session has no findings", () => {
  assert.deepEqual([...found(clean)], []);
});

const groups = { dropped, twice, reordered, retargeted, miscounted, misplaced, unset };
const golden = fromRoot("test/golden/lint-mutants.txt");

test("every mutant of the session causes a finding (UPDATE_GOLDEN=1 updates the list)", () => {
  const lines = Object.values(groups).flatMap((mutants) =>
    mutants.map(([what, session]) => `${what}: ${[...found(session)].join(" ") || "nothing"}`),
  );
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(golden, `${lines.join("\n")}\n`);
  assert.deepEqual(lines, readFileSync(golden, "utf8").trimEnd().split("\n"));
  assert.deepEqual(
    lines.filter((line) => line.endsWith(": nothing")),
    [],
  );
  assert.ok(lines.length > 200, String(lines.length));
});
