import assert from "node:assert/strict";
import { test } from "node:test";
import { Secrets } from "../../../../sessions/show/redact/secrets.js";
import { launch, output, redacted } from "../../../support/redaction.js";

/** Encodes a text in several ways: unchanged, in JSON nested in JSON, in ASCII, and in URLs. */
function spellingsOf(text: string): readonly string[] {
  const escaped = (each: string): string => JSON.stringify(each).slice(1, -1);
  const ascii = (each: string): string =>
    Array.from({ length: each.length }, (_, index) => {
      const code = each.charCodeAt(index);
      return code < 0x7f ? each[index]! : `\\u${code.toString(16).padStart(4, "0")}`;
    }).join("");
  const encoded = encodeURIComponent(text);
  return [
    text,
    text.toUpperCase(),
    escaped(text),
    escaped(escaped(text)),
    escaped(escaped(escaped(text))),
    ascii(escaped(text)),
    escaped(ascii(escaped(text))),
    escaped(text).replaceAll("/", "\\/"),
    encoded,
    encoded.toLowerCase(),
    encodeURI(text),
    encodeURIComponent(encoded),
    encoded.replaceAll("%20", "+"),
  ];
}

const planted = [
  's3cr3t/Tök\\en "42"',
  "multi\nline\ttext",
  "per%cent%41+plus",
  "\u{1f41b} bug in 日本",
  "C:\\keys\\new\\top",
  "ünïcode-only-é",
];

test("no planted secret remains in any encoding", () => {
  const env = Object.fromEntries(planted.map((value, index) => [`V${index}`, value]));
  // Secrets also occur in messages that precede the one with the environment.
  const before = planted.flatMap((value) => spellingsOf(value).map((each) => output(`<${each}>`)));
  const nested = planted.map((value) => output(JSON.stringify({ [value]: [value, { value }] })));
  const result = redacted([...before, ...nested, launch({ env })]);
  for (const [index, value] of planted.entries()) {
    const count = spellingsOf(value).length;
    for (const [at, spelled] of spellingsOf(value).entries()) {
      const { body } = result[index * count + at] as { body: { output: string } };
      assert.match(body.output, /^<(?:[A-Z]:)?\/?redacted-\d+>$/, spelled);
    }
    const { body } = result[before.length + index] as { body: { output: string } };
    // JSON inside a string stays valid JSON.
    assert.match(
      JSON.stringify(JSON.parse(body.output)),
      /^\{"[^"]*redacted-(\d+)":\["[^"]*redacted-\1",\{"value":"[^"]*redacted-\1"\}\]\}$/,
    );
  }
});

test("redact keeps the protocol's own words even if they are also user names", () => {
  const message = {
    seq: 1,
    type: "response",
    request_seq: 1,
    success: true,
    command: "launch",
    body: { source: { name: "stopped", path: "/home/launch/source" } },
  };
  const secret = launch({ env: { A: "launch", B: "response", C: "source", USER: "stopped" } });
  const [result, args] = redacted([message, secret]) as [typeof message, unknown];
  assert.deepEqual(result, {
    ...message,
    body: { source: { name: "stopped", path: "/home/user-1/source" } },
  });
  assert.match(JSON.stringify(args), /"command":"launch","arguments":\{"env":\{"A":"user-1"/);
});

test("redact keeps those parts of a recording that do not come from the session", () => {
  const env = { A: "hunter2hunter2" };
  const lines = [
    { recording: "wirewright", form: 1, protocol: "hunter2hunter2" },
    {
      session: 1,
      kind: "message",
      time: 12_345,
      from: "client",
      offset: 0,
      message: launch({ env }),
    },
    { kind: "noise", from: "adapter", text: "oh hunter2hunter2" },
    { kind: "fault", from: "adapter", code: "ERR_JSON", text: "no hunter2hunter2" },
    { kind: "end", from: "adapter", how: "closed" },
    { kind: "stderr", time: 1, from: "adapter", text: "hm hunter2hunter2" },
    { n: 1, from: "client", msg: launch({ env }), note: "hunter2hunter2" },
    7,
  ];
  assert.deepEqual(redacted(lines), [
    lines[0],
    { ...(lines[1] as object), message: launch({ env: { A: "redacted-1" } }) },
    { kind: "noise", from: "adapter", text: "oh redacted-1" },
    { kind: "fault", from: "adapter", code: "ERR_JSON", text: "no redacted-1" },
    lines[4],
    { kind: "stderr", time: 1, from: "adapter", text: "hm redacted-1" },
    { n: 1, from: "client", msg: launch({ env: { A: "redacted-1" } }), note: "redacted-1" },
    7,
  ]);
});

test("redact treats names such as constructor like any other name", () => {
  const text =
    '{"__proto__":"hunter2hunter2","constructor":"x","env":{"__proto__":"hunter2hunter2"}}';
  const [result] = redacted([launch(JSON.parse(text) as object)]) as [{ arguments: object }];
  assert.equal(
    JSON.stringify(result.arguments),
    '{"__proto__":"redacted-1","constructor":"x","env":{"__proto__":"redacted-1"}}',
  );
});

test("redacting many secrets in long texts takes linear time", () => {
  const secrets = new Secrets();
  for (let index = 0; index < 12_000; index++) secrets.add(`secret number ${index}`, "value");
  secrets.add("\\".repeat(10_000), "value");
  const texts = ["\\".repeat(100_000), "%25".repeat(50_000), "s".repeat(200_000)];
  const began = process.cpuUsage();
  for (const text of texts) secrets.replacedIn(text);
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < 20_000_000, `${(user + system) / 1e6} s`);
});
