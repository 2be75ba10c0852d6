import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { FrameEncoder } from "../../../runtime/index.js";
import { fromRoot } from "../../support/paths.js";

/** Features that a JavaScript host may lack, each with statements that remove it. */
const hosts: Readonly<Record<string, string>> = {
  "nothing missing": "",
  "no Buffer": "delete globalThis.Buffer;",
  "a Buffer without Node's methods": "globalThis.Buffer = class extends Uint8Array {};",
  "no process": "delete globalThis.process;",
  "a process without built-in modules": "process.getBuiltinModule = undefined;",
  "built-in modules that lack the members in use": "process.getBuiltinModule = () => ({});",
  "no built-in module of that name": "process.getBuiltinModule = () => undefined;",
};

const messages: readonly object[] = [
  { a: "é日本😀".repeat(20), b: `"${"x".repeat(50)}\n`, c: [1.5, null, { d: true }], id: 7 },
  { text: "plain ascii ".repeat(200), id: 8 },
  { text: `${"mostly ascii ".repeat(200)}é`, id: 9 },
  { lone: "\ud800", id: "text" },
];
const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const frames = messages.map((message) => text(new FrameEncoder().encode(message)));
const stream = `${"junk ".repeat(20)}\n${frames.map((each) => `X-Header: ${"y".repeat(40)}\r\n${each}`).join("")}`;

/**
 * A message that begins with its id, and a string in which the letters of "id" occur many times.
 */
const numbered = (id: number, more = ""): string =>
  `{"id":${id},"x":"${"id i id\\n".repeat(30)}"${more}}`;

const script = (missing: string): string => `
  import { deepEqual } from "node:assert/strict";
  import { exit } from "node:process";
  try {
    ${missing}
    const { FrameDecoder, FrameEncoder, createPeek } = await import(${JSON.stringify(fromRoot("build/runtime/index.js"))});
    const messages = ${JSON.stringify(messages)};
    const lines = ${JSON.stringify(lines)};
    const text = (bytes) => new TextDecoder().decode(bytes);
    const bytes = (text) => new TextEncoder().encode(text);

    const encoder = new FrameEncoder({ framing: "lines" });
    deepEqual(messages.map((each) => text(encoder.encode(each))), lines);
    deepEqual(text(encoder.encodeAll(messages)), lines.join(""));

    for (const invalidUtf8 of ["replace", "error"]) {
      const seen = [];
      const decoder = new FrameDecoder({
        invalidUtf8,
        onMessage: (read) => seen.push(read),
        onFault: ({ code }) => seen.push(code),
      });
      decoder.push(bytes(${JSON.stringify(stream)}));
      const illFormed = bytes('Content-Length: 10\\r\\n\\r\\n{"a":"__"}');
      illFormed[28] = 0xff;
      illFormed[29] = 0xc3;
      decoder.push(illFormed);
      const last = invalidUtf8 === "replace" ? { a: "\\ufffd\\ufffd" } : "ERR_UTF8";
      deepEqual(seen, ["ERR_NOISE", ...messages, last]);
    }

    const cut = [];
    const decoder = new FrameDecoder({
      onMessage: (read) => cut.push(read),
      onFault: ({ code }) => cut.push(code),
    });
    decoder.push(bytes('Content-Length: 5\\r\\n\\r\\n{"a":1}x'));
    decoder.end();
    deepEqual(cut, ["ERR_JSON", "ERR_NOISE"]);

    const peek = createPeek({
      id: "id",
      replyTo: "id",
      request: { name: "method", when: { method: true } },
      event: { name: "method", when: { method: true } },
      response: { when: { id: true }, error: "error" },
    });
    const renumbered = (body) => text(peek.renumber(bytes(body), 12));
    deepEqual(
      renumbered(${JSON.stringify(numbered(5))}),
      "Content-Length: 286\\r\\n\\r\\n" + ${JSON.stringify(numbered(12))},
    );
    deepEqual(
      renumbered(${JSON.stringify(numbered(5, ',"id":6'))}),
      "Content-Length: 293\\r\\n\\r\\n" + ${JSON.stringify(numbered(5, ',"id":12'))},
    );
    console.log("the same");
  } catch (error) {
    console.log(error);
    exit(1);
  }
`;

for (const [host, missing] of Object.entries(hosts))
  test(`a codec works the same way on a host with ${host}`, () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script(missing)],
      { encoding: "utf8" },
    );
    assert.deepEqual([stdout, stderr], ["the same\n", ""]);
  });
