import type { RecordedEntry } from "../../sessions/read/recording.js";
import { CapturedSessions } from "../../sessions/read/captured-sessions.js";
import { contentsOf } from "../../sessions/read/recorded-lines.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { readProtocol } from "../../cli/index.js";
import { readExamplePage } from "../../sessions/judge/rule-examples.js";

/**
 * Parses a session in the notation used on the `rule-examples.md` pages. Each line is a message.
 *
 * - `> name {…}` is a request from the side that opens the session. `< name {…}` is the response to
 *   it, and `x name` is a failure.
 * - `<? name {…}`, `>> name {…}` and `>x name` are the same in the opposite direction.
 * - `! name {…}` is an event from that other side. `>! name {…}` is an event from the side that
 *   opens the session.
 *
 * - `x! name {…}` is a failure with only these fields.
 * - `client {…}` is this message, from that role, and `end` is the end of the other side's stream. An
 *   explanation may follow it.
 * - `session` begins another session in the same recording.
 * - `wait 750` lets time pass: with it, the messages have times, in milliseconds.
 *
 * A shorthand stands for the messages in its block, in which `…` is the JSON that follows it.
 *
 * In protocols without ids, `>` is followed by a command, and `<` by elements.
 *
 * @param isWhole Whether the session is numbered from 1. Otherwise, one that does not open itself is
 * numbered as the part of a longer session.
 */
export function writtenMessages(
  text: string,
  protocol: Protocol,
  shorthands: Readonly<Record<string, string>> = {},
  isWhole = false,
): readonly RecordedEntry[] {
  const lines = text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [, word = "", rest = "{}"] = /^(\S+)(?: (.*))?$/.exec(line) ?? [];
      return (shorthands[word]?.replaceAll("…", () => rest) ?? line).trim().split("\n");
    });
  return protocol.lanes === undefined
    ? readWithIds(lines, protocol, isWhole)
    : lines.flatMap((line) => spelled(line, protocol));
}

/** The side and the kind of message that each mark stands for. */
const marks: Readonly<Record<string, readonly [side: 0 | 1, kind: string]>> = {
  ">": [0, "request"],
  "<": [1, "success"],
  x: [1, "failure"],
  "x!": [1, "bare failure"],
  "<?": [1, "request"],
  ">>": [0, "success"],
  ">x": [0, "failure"],
  "!": [1, "event"],
  ">!": [0, "event"],
};

function readWithIds(
  lines: readonly string[],
  { envelope, roles, conversation }: Protocol,
  isWhole: boolean,
): readonly RecordedEntry[] {
  const { id = "", replyTo = "", request, event, response, constants } = envelope;
  const asked: { readonly side: number; readonly name: string; readonly id: number }[] = [];
  let session = 1;
  // Numbers above 1 show that messages precede the part of a session.
  const isPart = !isWhole && id !== replyTo && !lines[0]!.startsWith(`> ${conversation?.opening} `);
  const counts = isPart ? [100, 100] : [0, 0];
  const whenOf = ({ when }: { when: object }): object =>
    Object.fromEntries(Object.entries(when).filter(([, value]) => typeof value === "string"));
  // Unless responses repeat the id in the same field, every message has its own id.
  const own = (side: number): object => (id === replyTo ? {} : { [id]: ++counts[side]! });
  const isTimed = lines.some((line) => line.startsWith("wait "));
  let time = 0;
  return lines.flatMap((line): readonly RecordedEntry[] => {
    if (line.startsWith("wait ")) {
      time += Number(line.slice(5));
      return [];
    }
    if (line === "session") {
      session++;
      counts.fill(0);
      return [];
    }
    const entry = session === 1 ? read(line) : { ...read(line), session };
    return [isTimed ? { ...entry, time } : entry];
  });

  function read(line: string): RecordedEntry {
    const ended = /^end\b ?(.*)$/.exec(line)?.[1];
    if (ended !== undefined) return { from: roles[1], ended: ended || "closed" };
    const [, sender, whole] = /^(\S+) (\{.*)$/.exec(line) ?? [];
    if (sender !== undefined && roles.includes(sender))
      return { from: sender, message: JSON.parse(whole!) as object };
    const [, mark = "", name = "", json] = /^(\S+) (\S+)(?: (.*))?$/.exec(line)!;
    const [side, kind] = marks[mark]!;
    const body = json === undefined ? undefined : (JSON.parse(json) as unknown);
    const payload = (field: string): object => (body === undefined ? {} : { [field]: body });
    const from = roles[side];
    if (kind === "event")
      return {
        from,
        message: {
          ...own(side),
          ...constants,
          ...whenOf(event),
          [event.name]: name,
          ...payload(event.payload),
        },
      };
    if (kind === "request") {
      const number = ++counts[side]!;
      asked.push({ side, name, id: number });
      return {
        from,
        message: {
          ...constants,
          ...whenOf(request),
          [id]: number,
          [request.name]: name,
          ...payload(request.payload),
        },
      };
    }
    const place = asked.findIndex((each) => each.name === name && each.side !== side);
    const [answered] = place < 0 ? [] : asked.splice(place, 1);
    const { name: nameField, success, result, error, errorText } = response!;
    return {
      from,
      message: {
        ...own(side),
        ...constants,
        ...whenOf(response!),
        [replyTo]: answered?.id ?? 999,
        ...(nameField === undefined ? {} : { [nameField]: name }),
        ...(success === undefined ? {} : { [success]: kind === "success" }),
        ...(kind === "failure" && errorText !== undefined ? { [errorText]: "no" } : {}),
        ...(kind === "success"
          ? body === undefined && success !== undefined
            ? {}
            : { [result]: body ?? null }
          : kind === "failure"
            ? { [error]: body ?? (success === undefined ? { code: -32000, message: "no" } : {}) }
            : { [error]: {}, ...(body as object | undefined) }),
      },
    };
  }
}

function spelled(line: string, protocol: Protocol): readonly RecordedEntry[] {
  const from = protocol.roles[line.startsWith(">") ? 0 : 1];
  const entries: RecordedEntry[] = [];
  const sessions = new CapturedSessions(protocol, (observed) => {
    const { message, fault } = contentsOf(observed) ?? {};
    if (message !== undefined) entries.push({ from, message });
    else if (fault !== undefined) entries.push({ from, fault });
  });
  const bytes = Buffer.from(`${line.slice(2)}${line.startsWith(">") ? "\n" : ""}`);
  sessions.take({ kind: "bytes", from, time: 0 }, bytes);
  sessions.take({ kind: "end", from, time: 0 });
  return entries;
}

/** Reads the shorthands on a page. Each consists of `` `open` is: `` followed by a block. */
export function shorthandsOf(page: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...page.matchAll(/^`(\w+)` is:\n\n```\n([^`]+)```$/gm)].map(([, name, text]) => [
      name!,
      text!,
    ]),
  );
}

const dap = await readProtocol("dap");
const dapShorthands = shorthandsOf(readExamplePage("dap")!);

/** Parses a DAP session in the notation of `schema/dap/rule-examples.md`. */
export function writtenSession(text: string): readonly RecordedEntry[] {
  return writtenMessages(text, dap, dapShorthands, true);
}
