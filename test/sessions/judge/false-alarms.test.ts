import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { judgeRecording } from "../../../sessions/judge/judge-recording.js";
import type { LintReport } from "../../../sessions/judge/report.js";
import type { LintFinding } from "../../../sessions/judge/rules.js";
import { recordingHead } from "../../../sessions/read/recorded-lines.js";
import { openRecording } from "../../../sessions/read/recording.js";
import { shared, skipWithout } from "../../support/paths.js";
import { loggedSessions } from "../../support/logged-sessions.js";
import { join } from "node:path";
import { FrameDecoder } from "../../../runtime/index.js";
import { recordedSessions } from "../../support/recorded-sessions.js";

/** A message in the form it takes on a line of a recording. */
interface RecordedLine {
  readonly from: string;
  readonly time: number;
  readonly offset: number;
  readonly message: object;
}

/** A session whose messages are in the order in which their bytes were seen. */
interface TimedRecording {
  readonly name: string;
  readonly lines: readonly RecordedLine[];
}

/**
 * Recordings of real debuggers: the bytes of recorded sessions, and wire messages recorded
 * alongside a log.
 */
const timedRecordings: readonly TimedRecording[] = [
  ...recordedSessions.map(({ name, folder }) => ({ name, lines: linesOf(folder) })),
  ...loggedSessions.flatMap(({ name }) => {
    const file = shared(`logs/${name}/truth.jsonl`);
    return file === undefined ? [] : [{ name: `wire of ${name}`, lines: truthLines(file) }];
  }),
];

function linesOf(folder: string): readonly RecordedLine[] {
  const lines: RecordedLine[] = [];
  let time = 0;
  const open = (from: string): FrameDecoder =>
    new FrameDecoder({
      onMessage: (message, { offset }) => void lines.push({ from, time, offset, message }),
      onFault: () => undefined,
    });
  const sides = {
    in: { decoder: open("adapter"), bytes: readFileSync(join(folder, "in.bin")) },
    out: { decoder: open("client"), bytes: readFileSync(join(folder, "out.bin")) },
  };
  for (const line of readFileSync(join(folder, "chunks.jsonl"), "utf8").trimEnd().split("\n")) {
    const { t, dir, off, len } = JSON.parse(line) as ChunkLine;
    time = t;
    // Skip stderr output, which some recordings also contain.
    if (dir in sides) sides[dir].decoder.push(sides[dir].bytes.subarray(off, off + len));
  }
  return lines;
}

interface ChunkLine {
  readonly t: number;
  readonly dir: "in" | "out";
  readonly off: number;
  readonly len: number;
}

function truthLines(file: string): readonly RecordedLine[] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line, index) => {
      const { from, message } = JSON.parse(line) as { from: string; message: object };
      return { from, time: index, offset: index, message };
    });
}

/** Encodes the lines of a recording. */
function bytesOfLines(lines: readonly object[]): Uint8Array {
  return Buffer.from(
    lines.map((each) => `${JSON.stringify({ kind: "message", ...each })}\n`).join(""),
  );
}

const dap = await openProtocol("dap");

/**
 * Recordings with more messages are tested only at some split points. With LONG_TESTS, all of them
 * are tested, which takes minutes.
 */
const shortest = process.env["LONG_TESTS"] === undefined ? 130 : Infinity;

async function judge(...files: readonly Uint8Array[]): Promise<LintReport> {
  const sources = files.map((bytes, index) => ({ name: `${index}`, chunks: [bytes] }));
  const { sessionRules: rules } = dap;
  return judgeRecording(await openRecording(sources, dap), dap, {
    name: "x",
    profile: "wire",
    rules,
    host: undefined,
    severities: new Map(),
  });
}

/** Returns errors and warnings, each with its message. */
async function alarms(lines: readonly RecordedLine[]): Promise<readonly string[]> {
  const { findings } = await judge(bytesOfLines(lines));
  return findings.filter(isAlarm).map((each) => alarmOf(each, lines[each.line! - 1]!));
}

const isAlarm = ({ severity }: LintFinding): boolean => severity !== "info";
const alarmOf = (
  { rule, pointer, message: text }: LintFinding,
  { from, message }: RecordedLine,
): string => `${rule} ${from} ${pointer} ${text} ${JSON.stringify(message)}`;

/** Returns the findings in an altered recording that the original does not have. */
async function falseAlarms(
  lines: readonly RecordedLine[],
  ...wholes: readonly (readonly RecordedLine[])[]
): Promise<readonly string[]> {
  const known = new Set((await Promise.all(wholes.map(alarms))).flat());
  return (await alarms(lines)).filter((each) => !known.has(each));
}

/** Truncates one line of a recording. */
function withDamage(lines: readonly RecordedLine[], at: number, characters: number): Uint8Array {
  const text = Buffer.from(bytesOfLines(lines)).toString().split("\n");
  text[at] = `${text[at]!.slice(0, characters)}\u0001`;
  return Buffer.from(recordingHead(dap, {}) + text.join("\n"));
}

const untimed = (lines: readonly RecordedLine[]): readonly RecordedLine[] =>
  lines.map(({ from, message }) => ({ from, message }) as RecordedLine);

function interleaved(
  one: readonly RecordedLine[],
  other: readonly RecordedLine[],
): readonly RecordedLine[] {
  const longer = one.length > other.length ? one : other;
  return longer.flatMap((_, at) => [...one.slice(at, at + 1), ...other.slice(at, at + 1)]);
}

for (const [index, { name, lines }] of timedRecordings.entries()) {
  const step = lines.length > shortest ? 23 : 1;
  const cuts = lines.map((_, at) => at).filter((at) => at > 0 && at % step === 0);

  test(`a recording of ${name} without its start causes no false findings`, async () => {
    for (const at of cuts) assert.deepEqual(await falseAlarms(lines.slice(at), lines), [], `${at}`);
  });

  test(`a recording of ${name} without its end causes no false findings`, async () => {
    for (const at of cuts)
      assert.deepEqual(await falseAlarms(lines.slice(0, at), lines), [], `${at}`);
  });

  test(`a recording of ${name} with a damaged line causes no false findings elsewhere`, async () => {
    const known = new Set(await alarms(lines));
    for (const at of [0, ...cuts])
      for (const damaged of [80, 0]) {
        const { findings } = await judge(withDamage(lines, at, damaged));
        const others = findings.filter((each) => isAlarm(each) && each.line !== at + 2);
        const texts = others.map((each) => alarmOf(each, lines[each.line! - 2]!));
        assert.deepEqual(
          texts.filter((each) => !known.has(each)),
          [],
          `line ${at + 1}, ${damaged} characters`,
        );
      }
  });

  test(`a recording of one side of ${name}, or of both sides without times, causes no false findings`, async () => {
    for (const side of dap.roles)
      assert.deepEqual(
        await falseAlarms(
          lines.filter(({ from }) => from === side),
          lines,
        ),
        [],
        side,
      );
    assert.deepEqual(await falseAlarms(untimed(lines), lines), []);
  });

  test(`lint reads ${name} recorded twice in one file as two sessions`, async () => {
    const { sessions = [] } = await judge(bytesOfLines([...lines, ...lines]));
    assert.deepEqual(
      sessions.map(({ messages }) => messages),
      [lines.length, lines.length],
    );
    // After a session without ids, it is unclear where the next session begins, so there may be
    // fewer findings in it.
    const count = (await alarms([...lines, ...lines])).length;
    assert.ok(count <= 2 * (await alarms(lines)).length, `${count}`);
    assert.deepEqual(await falseAlarms([...lines, ...lines], lines), []);
    assert.deepEqual(await falseAlarms(interleaved(lines, lines), lines), []);
  });

  const next: TimedRecording | undefined = timedRecordings[index + 1];
  if (next === undefined) continue;
  test(`${name} and ${next.name} in one file cause no false findings`, async () => {
    const other = next.lines;
    const half = lines.slice(0, lines.length >> 1);
    for (const both of [[...lines, ...other], [...half, ...other], interleaved(lines, other)])
      assert.deepEqual(await falseAlarms(both, lines, other), []);
    const numbered = interleaved(
      lines.map((line) => ({ ...line, session: 1 })),
      other.map((line) => ({ ...line, session: 2 })),
    );
    assert.equal(
      (await alarms(numbered)).length,
      (await alarms(lines)).length + (await alarms(other)).length,
    );
  });
}

suite("lint reads logs written by real tools", { skip: skipWithout("logs") }, () => {
  for (const { name, file } of loggedSessions)
    test(`lint reports no more for the log ${name} than for the recorded bytes, even if the session is in it twice`, async () => {
      const log = readFileSync(shared(`logs/${name}/${file}`)!);
      const { lines } = timedRecordings.find((each) => each.name === `wire of ${name}`)!;
      const short = ({ rule, from, pointer, label }: LintFinding): string =>
        `${rule} ${from} ${pointer} ${label.replace(/\s*\d+/, "")}`;
      const wire = await judge(bytesOfLines(lines));
      const known = new Set(wire.findings.filter(isAlarm).map(short));
      for (const bytes of [log, Buffer.concat([log, log])]) {
        const { findings } = await judge(bytes);
        const all = findings.filter(isAlarm).map(short);
        assert.deepEqual(
          all.filter((each) => !known.has(each)),
          [],
        );
      }
    });
});
