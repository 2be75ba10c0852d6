import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openProtocol } from "../../../cli/index.js";
import { readRecording } from "../../../sessions/read/recording.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { runCommand } from "../../support/run-command.js";
import { rubySessions } from "../../support/recorded-sessions.js";

const protocol = await openProtocol("ruby-debug-ide");
const [frontend, debug] = protocol.roles;

type SentText = readonly [from: string, text: string];

const texts: readonly SentText[] = [
  [frontend, "b a.rb:2\nstart\n"],
  [
    debug,
    '<breakpointAdded no="1" location="a.rb:2"/><breakpoint file="/a.rb" line="2" threadId="1"/>',
  ],
  [frontend, "whre\nw\n"],
  [debug, "<message>Unknown command: whre</message><frames></frames>"],
];

const textOf = (role: string): string =>
  texts.flatMap(([from, text]) => (from === role ? [text] : [])).join("");

/** A capture made by wirewright tap, which contains the bytes as they arrived. */
const capture = [
  JSON.stringify({
    recording: "wirewright",
    form: 2,
    protocol: protocol.name,
    version: protocol.version,
    roles: protocol.roles,
  }),
  ...texts.flatMap(([from, text], time) => [
    JSON.stringify({ kind: "bytes", time, from, length: text.length }),
    text,
  ]),
  "",
].join("\n");

/** The messages in the capture. */
const messages = [
  [frontend, { command: "break", arguments: { location: "a.rb:2" } }],
  [frontend, { command: "start" }],
  [debug, { element: "breakpointAdded", body: { no: 1, location: "a.rb:2" } }],
  [debug, { element: "breakpoint", body: { file: "/a.rb", line: 2, threadId: 1 } }],
  [frontend, { command: "whre" }],
  [frontend, { command: "where" }],
  [debug, { element: "message", body: { text: "Unknown command: whre" } }],
  [debug, { element: "frames", body: { frames: [] } }],
] as const;

const lines = messages
  .map(([from, message]) => `${JSON.stringify({ kind: "message", from, message })}\n`)
  .join("");

const forms: Readonly<Record<string, readonly string[]>> = {
  "lines with their senders": ["session.jsonl"],
  "lines without": ["bare.jsonl"],
  "a capture": ["session.bytes"],
  "commands and elements": ["in.bin", "out.bin"],
  "elements and commands": ["out.bin", "in.bin"],
};

const files = {
  "session.jsonl": lines,
  "bare.jsonl": messages.map(([, message]) => `${JSON.stringify(message)}\n`).join(""),
  "session.bytes": capture,
  "in.bin": textOf(frontend),
  "out.bin": textOf(debug),
};

test("commands and elements are judged, shown, counted and converted in every recording format", async () => {
  await withFolder((folder) => {
    writeFiles(folder, files);
    const run = (name: string, names: readonly string[]): string => {
      const args = [name, ...names, "--protocol", "ruby-debug-ide"];
      const { status, stdout, stderr } = runCommand(folder, [
        ...args,
        ...(name === "view" ? ["--out", "-"] : []),
      ]);
      assert.equal(status, 0, `${args.join(" ")}: ${stderr}`);
      return stdout;
    };
    for (const [form, names] of Object.entries(forms)) {
      const report = run("lint", names);
      assert.match(report, /8 messages {3}1 info\n/, form);
      assert.match(
        report,
        /message\.custom .* frontend: request whre \/command\n.*did you mean "where"\?/,
        form,
      );
      assert.match(run("view", names), /^<!doctype html>/, form);
      const converted = run("convert", names).trim().split("\n").slice(1);
      const sent = converted.flatMap((line) => {
        const { from, message } = JSON.parse(line) as { from: string; message?: object };
        return message === undefined ? [] : [JSON.stringify([from, message])];
      });
      assert.deepEqual(sent.sort(), messages.map((each) => JSON.stringify(each)).sort(), form);
      if (names.length === 1) assert.match(run("stats", names), /request {2}whre/, form);
      if (names[0]!.endsWith(".jsonl")) assert.doesNotMatch(run("redact", names), /whre/, form);
    }
  });
});

test("an element that violates the schema is reported with its location", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "out.bin": '<breakpoint file="/a.rb" line="x" threadId="1"/><frames><frame no="1"/></frames>',
    });
    const { status, stdout } = runCommand(folder, [
      "lint",
      "out.bin",
      "--protocol",
      "ruby-debug-ide",
      "--format",
      "json",
    ]);
    assert.equal(status, 1);
    const { findings } = JSON.parse(stdout) as { findings: { rule: string; pointer: string }[] };
    assert.deepEqual(
      findings.map(({ rule, pointer }) => `${rule} ${pointer}`),
      ["/body/line", "/body/frames/0/file", "/body/frames/0/line"].map(
        (pointer) => `schema.issue ${pointer}`,
      ),
    );
  });
});

for (const { name, folder } of rubySessions)
  test(`the bytes of "${name}" belong to the side that sent them, however they are split`, () => {
    for (const [side, role] of [
      ["c2s", frontend],
      ["s2c", debug],
    ] as const) {
      const bytes = readFileSync(join(folder, `${name}.${side}.bin`));
      if (bytes.length === 0) continue;
      const entries = readRecording([{ name, bytes }], protocol);
      assert.deepEqual([...new Set(entries.map(({ from }) => from))], [role], side);
    }
  });
