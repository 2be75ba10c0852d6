/** Tests that each tool reads sessions in each bundled protocol and every recording format. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openProtocol } from "../../cli/index.js";
import { createDialect } from "@wirewright/sqltools/dialects";
import { CommandNotation, ElementNotation } from "../../runtime/index.js";
import { tableOf } from "../../generator/model/notation-table.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { RecordedEntry } from "../../sessions/read/recording.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";
import { shorthandsOf, writtenMessages } from "../support/written-messages.js";

type Session = readonly RecordedEntry[];

/** Returns a protocol and a session without mistakes. */
async function cleanSession(name: string): Promise<readonly [Protocol, Session]> {
  const protocol = await openProtocol(name);
  if (name === "dap")
    return [
      protocol,
      writtenMessages(
        [
          '> initialize {"adapterID":"a"}\n< initialize {}\n> launch {}\n! initialized\n< launch',
          '! stopped {"reason":"entry","threadId":1}\n> threads',
          '< threads {"threads":[{"id":1,"name":"main"}]}\n> disconnect\n< disconnect',
        ].join("\n"),
        protocol,
      ),
    ];
  const page = readFileSync(fromRoot(`schema/${name}/rule-examples.md`), "utf8");
  const [, text] = /^## A long session\n[^`]*(?:`[^`\n]+`[^`]+)*```\n([^`]+)```$/m.exec(page)!;
  return [protocol, writtenMessages(text!, protocol, shorthandsOf(page))];
}

/** Returns the bytes of a message, framed as its sender frames messages. */
function bytesOf({ from = "", message }: RecordedEntry, protocol: Protocol): string {
  const { notations, framing, envelope } = protocol;
  const notation = notations?.[from];
  if (notation?.kind === "command-line")
    return `${new CommandNotation(tableOf(protocol, from, notation)[1] as never, envelope.request).write(message!)}\n`;
  if (notation !== undefined)
    return new ElementNotation(tableOf(protocol, from, notation)[1] as never, envelope.event).write(
      message!,
    );
  const body = JSON.stringify(message);
  return framing[from] === "lines"
    ? `${body}\n`
    : `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const lines = (session: Session, hasSenders: boolean): string =>
  session
    .map(({ from, message }) =>
      JSON.stringify(hasSenders ? { kind: "message", from, message } : message),
    )
    .map((line) => `${line}\n`)
    .join("");

function filesOf(session: Session, protocol: Protocol): Readonly<Record<string, string>> {
  const { name, version, roles } = protocol;
  const side = (role: string): string =>
    session.flatMap((entry) => (entry.from === role ? [bytesOf(entry, protocol)] : [])).join("");
  const head = { recording: "wirewright", form: 2, protocol: name, version, roles };
  const capture = session.map((entry, time) => {
    const text = bytesOf(entry, protocol);
    const length = Buffer.byteLength(text);
    return `${JSON.stringify({ kind: "bytes", time, from: entry.from, length })}\n${text}\n`;
  });
  return {
    "senders.jsonl": lines(session, true),
    "bare.jsonl": lines(session, false),
    "session.bytes": `${JSON.stringify(head)}\n${capture.join("")}`,
    "one.bin": side(roles[0]),
    "other.bin": side(roles[1]),
  };
}

const forms: readonly (readonly string[])[] = [
  ["senders.jsonl"],
  ["bare.jsonl"],
  ["session.bytes"],
  ["one.bin", "other.bin"],
  ["other.bin", "one.bin"],
];

/** The expected output of each tool for a session of `count` messages. The status is always 0. */
const tools: Readonly<Record<string, (count: number) => RegExp>> = {
  lint: (count) => new RegExp(` ${count} messages? `),
  "view --out -": () => /^<!doctype html>/,
  convert: (count) => new RegExp(`^(?:[^\\n]*"message"[^\\n]*\\n|[^\\n]*\\n){${count}}`),
  stats: () => /REQUEST|request|messages/,
  redact: () => /^\{"/,
};

function runAll(
  folder: string,
  session: Session,
  protocol: Protocol,
  more: readonly string[] = [],
): void {
  for (const names of forms)
    for (const [tool, printed] of Object.entries(tools)) {
      // `redact` reads only JSON lines. Other recordings must be converted first.
      if (tool === "redact" && !names[0]!.endsWith(".jsonl")) continue;
      const options = tool === "convert" || tool === "redact" ? [] : more;
      // The first line of a recording names its protocol.
      const named = names[0] === "session.bytes" ? [] : ["--protocol", protocol.name];
      const args = [...tool.split(" "), ...names, ...named, ...options];
      const { status, stdout, stderr } = runCommand(folder, args);
      assert.equal(status, 0, `${args.join(" ")}: ${stdout.slice(0, 1_000)}${stderr}`);
      assert.match(stdout, printed(session.length), args.join(" "));
    }
}

for (const name of ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"])
  test(`lint, view, convert, stats and redact read ${name} sessions in every format`, async () => {
    const [protocol, session] = await cleanSession(name);
    await withFolder((folder) => {
      writeFiles(folder, filesOf(session, protocol));
      runAll(folder, session, protocol);
    });
  });

test("recordings are read with the protocol named in their first line, even in folders, and with DAP if that line is missing", async () => {
  const [protocol, session] = await cleanSession("ruby-debug-ide");
  const head = (name: unknown): string =>
    `${JSON.stringify({ recording: "wirewright", form: 1, protocol: name })}\n`;
  await withFolder((folder) => {
    writeFiles(folder, {
      "runs/1.jsonl": head(protocol.name) + lines(session, true),
      "runs/2.jsonl": head(protocol.name) + lines(session, true),
      "own.jsonl": head("own-protocol") + lines(session, true),
      "other.jsonl": '{"seq":1,"type":"event","event":"initialized"}\n',
    });
    const judged = (...args: readonly string[]): string => {
      const { stdout, stderr } = runCommand(folder, ["lint", ...args]);
      return `${stdout}${stderr}`;
    };
    const count = session.length;
    assert.match(
      judged("runs/1.jsonl"),
      new RegExp(`ruby-debug-ide 0\\.7\\.5, wire profile {3}${count} messages {3}no findings`),
    );
    assert.match(judged("runs"), new RegExp(`ruby-debug-ide 0\\.7\\.5[^\n]*${2 * count} messages`));
    assert.match(
      judged("own.jsonl"),
      /Cannot read a recording of "own-protocol"[^]*path to its protocol\.json with --protocol/,
    );
    assert.match(judged("other.jsonl"), /dap 1\.71\.0/);
    assert.match(judged("missing.jsonl"), /Cannot read the recording: there is no such file/);
    assert.match(
      judged("runs/1.jsonl", "--protocol", "dap"),
      /is not a role of dap[^]*It is a recording of ruby-debug-ide: pass that protocol with --protocol/,
    );
  });
});

for (const dialect of ["seq", "guide"] as const)
  test(`the tools, including tap, read sqltools in the dialect ${dialect} with --dialect`, async () => {
    const [protocol, session] = await cleanSession("sqltools");
    const writer = createDialect(dialect);
    const spoken = session.map(({ from, message }) => {
      if ("id" in message! && !("method" in message))
        writer.read(writer.write(requestOf(session, message)));
      return { from: from!, message: writer.write(message!) };
    });
    await withFolder((folder) => {
      const files = filesOf(spoken, protocol);
      writeFiles(folder, files);
      runAll(folder, spoken, protocol, ["--dialect", dialect]);
      const service = "process.stdout.write(require('node:fs').readFileSync('other.bin'));";
      const args = ["tap", "--protocol", "sqltools", "--dialect", dialect, "--out", "t.jsonl"];
      const { status, stderr } = runCommand(
        folder,
        [...args, "--", process.execPath, "-e", `${service}process.stdin.resume()`],
        files["one.bin"],
      );
      assert.equal(status, 0, stderr);
      assert.match(stderr, /request 1 initialize|initialize/);
      assert.doesNotMatch(stderr, /message\.kind/);
    });
  });

/** Finds the request that a response belongs to. */
function requestOf(session: Session, response: object): object {
  const { id } = response as { id: unknown };
  return session.find(
    ({ message }) => "method" in message! && (message as { id?: unknown }).id === id,
  )!.message!;
}

test("lint suggests the dialect for a session that uses the older envelope, and tap refuses an unknown dialect", async () => {
  await withFolder((folder) => {
    writeFiles(folder, {
      "seq.jsonl": '{"seq":1,"type":"request","command":"threads"}\n',
    });
    const linted = runCommand(folder, ["lint", "seq.jsonl", "--protocol", "sqltools"]);
    assert.match(linted.stdout, /The messages seem to be in the dialect "seq": use --dialect seq/);
    const tapped = runCommand(folder, [
      "tap",
      "--protocol",
      "sqltools",
      "--dialect",
      "sq",
      "--",
      process.execPath,
      "-e",
      "0",
    ]);
    assert.equal(tapped.status, 2);
    assert.match(tapped.stderr, /Cannot read the dialect "sq"[^]*Did you mean "seq"\?/);
  });
});
