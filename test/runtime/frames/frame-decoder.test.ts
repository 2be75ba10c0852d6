import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import { ReadableStreamMessageReader } from "vscode-jsonrpc";
import "vscode-jsonrpc/node";
import { defaultLimits, FrameDecoder, type FrameError } from "../../../runtime/index.js";
import { everyCut, logOf, randomCuts, readFrameCases } from "../../../tools/shared/frame-cases.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { recordedSessions } from "../../support/recorded-sessions.js";

for (const file of ["content-length.md", "lines.md", "nul.md"]) {
  for (const { name, bytes, log, options } of readFrameCases(file)) {
    test(`decodes under every cut: ${name}`, () => {
      for (const { name: cut, cuts } of everyCut(bytes.length)) {
        assert.deepEqual(
          logOf(bytes, cuts, options),
          log,
          `${cut}: logOf(bytes, ${JSON.stringify(cuts).slice(0, 200)})`,
        );
      }
    });
  }
}

interface RecordedFrame {
  readonly dir: "in" | "out";
  readonly off: number;
  readonly headLen: number;
  readonly bodyLen: number;
  /** Instead of the lengths: bytes at the end that are no frame. */
  readonly trailing?: number;
}

function readLines<Line>(path: string): Line[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

for (const { name: session, folder } of recordedSessions) {
  for (const direction of ["in", "out"] as const) {
    test(`decodes the recording of ${session} (${direction}) as recorded and re-cut`, () => {
      const bytes = readFileSync(join(folder, `${direction}.bin`));
      const frames = readLines<RecordedFrame>(join(folder, "frames.jsonl")).filter(
        ({ dir }) => dir === direction,
      );
      const want = frames.map(({ off, headLen, bodyLen, trailing }) =>
        trailing === undefined
          ? `${off}+${headLen}+${bodyLen}`
          : `ERR_TRUNCATED ${off}+${trailing}`,
      );
      const recorded = readLines<{ dir: string; off: number; len: number }>(
        join(folder, "chunks.jsonl"),
      )
        .filter(({ dir, off }) => dir === direction && off > 0)
        .map(({ off }) => off);
      for (const { name, cuts } of [
        { name: "as recorded", cuts: recorded },
        { name: "whole", cuts: [] },
        ...randomCuts(bytes.length, 12, 7),
      ]) {
        const places: string[] = [];
        const decoder = new FrameDecoder({
          onMessage: (message, frame) => {
            places.push(`${frame.offset}+${frame.headerLength}+${frame.bodyLength}`);
            if (places.length % 50 === 1) {
              const raw = bytes.subarray(
                frame.offset,
                frame.offset + frame.headerLength + frame.bodyLength,
              );
              assert.deepEqual(Buffer.from(frame.raw), Buffer.from(raw), "raw bytes");
              assert.deepEqual(message, JSON.parse(Buffer.from(frame.body).toString()), "message");
            }
          },
          onError: ({ code, offset, length }) => places.push(`${code} ${offset}+${length}`),
        });
        let from = 0;
        for (const cut of [...cuts, bytes.length]) {
          decoder.push(Uint8Array.from(bytes.subarray(from, cut)));
          from = cut;
        }
        decoder.end();
        assert.deepEqual(places, want, name);
      }
    });
  }
}

/** Streams that every decoder accepts, as the peers' own tests would have them. */
function acceptedStream(): { bytes: Buffer; messages: object[] } {
  const messages = Array.from({ length: 60 }, (_, index) => ({
    seq: index + 1,
    type: "event",
    event: "output",
    body: {
      output: ["plain", "é日本😀", "\ud83d", '\u2028 \\ " \n', "x".repeat(index * 37)][index % 5],
      n: index,
      nested: [{ a: [] }, null, true, 1.5e300],
    },
  }));
  const bytes = Buffer.concat(
    messages.map((message) => {
      const body = Buffer.from(JSON.stringify(message));
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
    }),
  );
  return { bytes, messages };
}

test("delivers what the official library and vscode-jsonrpc deliver", async () => {
  const { bytes, messages } = acceptedStream();
  for (const { name, cuts } of randomCuts(bytes.length, 10, 3)) {
    const pieces = [...cuts, bytes.length].map((cut, index) =>
      bytes.subarray(cuts[index - 1] ?? 0, cut),
    );
    const ours: object[] = [];
    const decoder = new FrameDecoder({
      onMessage: (message) => ours.push(message),
      onError: (error) => assert.fail(error.message),
    });
    const official: unknown[] = [];
    class Server extends ProtocolServer {
      override handleMessage(message: never): void {
        official.push(message);
      }
    }
    const server = new Server() as unknown as { _rawData: Buffer; _handleData(data: Buffer): void };
    server._rawData = Buffer.alloc(0);
    let feed: (chunk: Uint8Array) => void = () => undefined;
    const nothing = { dispose: () => undefined };
    const reader = new ReadableStreamMessageReader({
      onClose: () => nothing,
      onError: () => nothing,
      onEnd: () => nothing,
      onData: (listener: (chunk: Uint8Array) => void) => ((feed = listener), nothing),
    });
    const jsonrpc: unknown[] = [];
    await new Promise<void>((resolve) => {
      reader.listen((message) => void (jsonrpc.push(message) === messages.length && resolve()));
      for (const piece of pieces) {
        decoder.push(piece);
        server._handleData(piece);
        feed(piece);
      }
    });
    assert.deepEqual(ours, messages, name);
    assert.deepEqual(official, ours, name);
    assert.deepEqual(jsonrpc, ours, name);
  }
});

function frame(text: string): Buffer {
  return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

test("a name that differs from Content-Length in one byte announces nothing, under every cut", () => {
  for (let changed = 0; changed < 15; changed++) {
    const bytes = frame('{"a":1}');
    bytes[changed] = 0x5f;
    for (const { name, cuts } of everyCut(bytes.length)) {
      const log = logOf(bytes, cuts, {});
      // Without its colon it is no header at all.
      const want =
        changed < 14
          ? ["error ERR_LENGTH_MISSING 0+21", 'noise 21 "{\\"a\\":1}"', "error ERR_NOISE 21+7"]
          : ['noise 0 "Content-Length_ 7\\r\\n"', "error ERR_NOISE 0+19", "error ERR_FRAMING 21+7"];
      assert.deepEqual(log, want, `${changed}, ${name}`);
    }
  }
});

test("the raw bytes of a frame are those of the stream, under every cut", () => {
  const streams = {
    "content-length": [
      'Content-Length: 7\r\n\r\n{"a":1}',
      'Content-Length: 0007\r\n\r\n{"b":1}',
      'content-length:7\n\n{"c":1}',
      'X: 1\r\nContent-Length: 7\r\n\n{"d":1}',
      "Content-Length: 02\r\nX: é\r\n\r\n{}",
    ],
    lines: ['{"a":1}\n', ' {"b":1} \r\n', "{}\n", '{"c":1}'],
  };
  for (const framing of ["content-length", "lines"] as const) {
    const wanted = streams[framing];
    const bytes = Buffer.from(wanted.join(""));
    for (const { name, cuts } of everyCut(bytes.length)) {
      const raw: string[] = [];
      const decoder = new FrameDecoder({
        framing,
        onFrame: (each) => raw.push(Buffer.from(each.raw).toString()),
        onError: (error) => raw.push(error.message),
      });
      let from = 0;
      for (const cut of [...cuts, bytes.length]) {
        decoder.push(Uint8Array.from(bytes.subarray(from, cut)));
        from = cut;
      }
      decoder.end();
      assert.deepEqual(raw, wanted, `${framing}, ${name}`);
    }
  }
});

test("bodies that are not parsed must look like objects: braces, and blanks around them", () => {
  const bodies = ["{}", " \r\n{ }\t\n", "\ufeff{}", "{", "}", "[]", "{]", "[}", "", " ", '"{}"'];
  const at = (text: string): string => `${JSON.stringify(text)} as a frame`;
  for (const recovery of ["tolerant", "strict"] as const) {
    const taken = recovery === "strict" ? ["{}", " \r\n{ }\t\n"] : bodies.slice(0, 3);
    for (const body of bodies) {
      const said: unknown[] = [];
      const decoder = new FrameDecoder({
        recovery,
        onFrame: (each) => said.push(Buffer.from(each.body).toString()),
        onError: (error) => said.push(error),
      });
      const bytes = frame(body);
      decoder.push(bytes);
      // A body that stops in mid-value waits for the next header.
      decoder.end();
      const refused = {
        code: "ERR_JSON",
        message: "Cannot use a body that is not an object",
        offset: 0,
        length: bytes.length,
        sample: body.replace("\ufeff", "..."),
        recovered: false,
      };
      assert.deepEqual(said, [taken.includes(body) ? body : refused], at(body));
    }
  }
});

test("an error says what it has to, and has a cause only where something was thrown", () => {
  const errors: FrameError[] = [];
  const thrown = new Error("from the handler");
  const decoder = new FrameDecoder({
    onMessage: () => {
      throw thrown;
    },
    onError: (error) => errors.push(error),
  });
  decoder.push(Buffer.concat([Buffer.from("junk\n"), frame("{}"), Buffer.from("junk\n")]));
  decoder.end();
  const noise = { code: "ERR_NOISE", length: 5, sample: "junk\\n", recovered: false };
  const message = "Skipped 5 bytes that belong to no message";
  assert.deepEqual(errors, [
    { ...noise, message, offset: 0 },
    {
      code: "ERR_HANDLER",
      message: "The handler of a message threw",
      offset: 5,
      length: 23,
      sample: "",
      recovered: true,
      cause: thrown,
    },
    { ...noise, message, offset: 28 },
  ]);
});

test("a handler that throws does not take the next message with it", () => {
  const bytes = Buffer.concat([frame('{"a":1}'), frame('{"b":2}'), frame('{"c":3}')]);
  const throwing = (seen: object[]) => (message: object) => {
    seen.push(message);
    if ("b" in message) throw new Error("from the handler");
  };
  const reported: FrameError[] = [];
  const seen: object[] = [];
  const decoder = new FrameDecoder({
    onMessage: throwing(seen),
    onError: (error) => reported.push(error),
  });
  decoder.push(bytes);
  assert.deepEqual(seen, [{ a: 1 }, { b: 2 }, { c: 3 }]);
  assert.equal(reported.length, 1);
  assert.equal(reported[0]!.code, "ERR_HANDLER");
  assert.equal((reported[0]!.cause as Error).message, "from the handler");

  const unheard: object[] = [];
  const quiet = new FrameDecoder({ onMessage: throwing(unheard) });
  assert.throws(() => quiet.push(bytes), /from the handler/);
  assert.equal(unheard.length, 3);
  quiet.push(frame('{"d":4}'));
  assert.deepEqual(unheard.at(-1), { d: 4 });
});

test("a message behind a body of the wrong length is there with its last byte", () => {
  const damaged = 'Content-Length: 60\r\n\r\n{"a":1}';
  const next = 'Content-Length: 7\r\n\r\n{"b":2}';
  const bytes = Buffer.from(damaged + next);
  // Up to some place in one chunk, then byte by byte: each way the header can be seen or overlooked.
  for (let cut = 1; cut < bytes.length; cut++) {
    const seen: unknown[] = [];
    const decoder = new FrameDecoder({
      onMessage: (message, { offset }) => seen.push([message, offset]),
      onError: ({ code, offset }) => seen.push([code, offset]),
    });
    decoder.push(bytes.subarray(0, cut));
    for (let at = cut; at < bytes.length; at++) decoder.push(bytes.subarray(at, at + 1));
    const expected = [
      [{ a: 1 }, 0],
      ["ERR_LENGTH_WRONG", 0],
      [{ b: 2 }, damaged.length],
    ];
    assert.deepEqual(seen, expected, `cut at ${cut}`);
    // Where the next message lies is known as well.
    decoder.push(Buffer.from(next));
    assert.deepEqual(seen.at(-1), [{ b: 2 }, bytes.length], `cut at ${cut}`);
  }
});

test("strict recovery ignores what follows the first fault", () => {
  const seen: object[] = [];
  const errors: string[] = [];
  const decoder = new FrameDecoder({
    recovery: "strict",
    onMessage: (message) => seen.push(message),
    onError: ({ code }) => errors.push(code),
  });
  decoder.push(frame('{"a":1}'));
  decoder.push(Buffer.from("junk\r\n"));
  decoder.push(frame('{"b":2}'));
  decoder.end();
  assert.deepEqual([seen, errors, decoder.failed], [[{ a: 1 }], ["ERR_HEADER_LINE"], true]);
});

test("a length of 2^31 takes no memory, and a million chunks of one byte cost no more than their bytes", () => {
  const decoder = new FrameDecoder({
    limits: { maxBodyBytes: 2 ** 32 },
    onMessage: () => undefined,
  });
  const before = process.memoryUsage();
  decoder.push(Buffer.from(`Content-Length: ${2 ** 31}\r\n\r\n{"a":"`));
  const byte = Uint8Array.of(0x61);
  for (let count = 0; count < 1_000_000; count++) decoder.push(byte);
  const after = process.memoryUsage();
  const grown = after.arrayBuffers - before.arrayBuffers;
  assert.ok(grown < 8 * 2 ** 20, `${grown} bytes of buffers`);
});

test("neither a chunk nor the memory of a large body is kept", () => {
  const script = `
    import { FrameDecoder } from ${JSON.stringify(fromRoot("build/runtime/index.js"))};
    const used = () => (gc(), gc(), process.memoryUsage().arrayBuffers);
    const decoder = new FrameDecoder({ onMessage: () => undefined });
    const before = used();
    (() => {
      const body = Buffer.from(JSON.stringify({ text: "x".repeat(64 << 20) }));
      decoder.push(Buffer.from("Content-Length: " + body.length + "\\r\\n\\r\\n"));
      decoder.push(body.subarray(0, 1 << 20));
      decoder.push(body.subarray(1 << 20));
    })();
    // What is freed may be counted a little later.
    const deadline = Date.now() + 10_000;
    const isFreed = () => used() - before < 8 << 20;
    while (!isFreed() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 1));
    console.log(isFreed());
    decoder.push(Buffer.from('Content-Length: 7\\r\\n\\r\\n{"a":1}'));
  `;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", "--input-type=module", "-e", script],
    {
      encoding: "utf8",
    },
  );
  assert.deepEqual([stdout, stderr], ["true\n", ""]);
});

/** Streams of some megabytes each. A decoder that looks at its bytes again and again would take minutes. */
const count = 150_000;
const hostile: Readonly<Record<string, readonly [make: () => Buffer, seen: object]>> = {
  "headers that promise too much": [
    () => Buffer.from("Content-Length: 1000000\r\n\r\nx".repeat(count)),
    { ERR_LENGTH_WRONG: count - 1, ERR_TRUNCATED: 1 },
  ],
  "good and bad in turn, the bad ones promising everything": [
    () =>
      Buffer.from(
        'Content-Length: 7\r\n\r\n{"a":1}Content-Length: 1000000\r\n\r\n{"é":'.repeat(count),
      ),
    { messages: count, ERR_LENGTH_WRONG: count - 1, ERR_TRUNCATED: 1 },
  ],
  "junk without an end": [
    () => Buffer.from("Content-Length: ".repeat(count * 2)),
    { ERR_HEADER_TOO_LONG: 1, ERR_NOISE: 1 },
  ],
  "blank lines": [() => Buffer.from("\r\n".repeat(count * 15)), {}],
  "digits without an end": [
    () => Buffer.from(`Content-Length: ${"1".repeat(count * 30)}`),
    { ERR_HEADER_TOO_LONG: 1, ERR_NOISE: 1 },
  ],
  "line feeds in a body": [
    () => Buffer.from(`Content-Length: 100000000\r\n\r\n{"a":[${" 1\n".repeat(count * 10)}`),
    { ERR_TRUNCATED: 1 },
  ],
  brackets: [() => frame(`{"a":${"[".repeat(count * 30)}}`), { ERR_DEPTH: 1 }],
};
for (const [name, [make, want]] of Object.entries(hostile)) {
  for (const size of [1 << 30, 64]) {
    test(`gets through ${name} in chunks of ${size} bytes`, { timeout: 40_000 }, () => {
      const bytes = make();
      const seen: Record<string, number> = {};
      const add = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1);
      const decoder = new FrameDecoder({
        onMessage: () => add("messages"),
        onError: ({ code }) => add(code),
      });
      for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
      decoder.end();
      assert.deepEqual(seen, want);
    });
  }
}

test("limits that are no limits are refused, and so is a decoder without a handler", () => {
  for (const value of [0, -1, 1.5, NaN, Infinity]) {
    assert.throws(
      () => new FrameDecoder({ onMessage: () => undefined, limits: { maxDepth: value } }),
      RangeError,
    );
  }
  assert.throws(() => new FrameDecoder({}), TypeError);
  assert.equal(Object.keys(defaultLimits).length, 4);
});

test("onFrame hands over bodies as bytes, with other headers and the whole frame", () => {
  const bytes = Buffer.from(
    'X-Trace: 7\r\nContent-Length: 7\r\n\r\n{"a":1}Content-Length: 4\r\n\r\nnullContent-Length: 7\r\n\r\n{"b":2}',
  );
  const frames: unknown[] = [];
  const errors: string[] = [];
  const decoder = new FrameDecoder({
    onFrame: ({ body, headers, raw, offset }) =>
      frames.push([
        offset,
        Buffer.from(body).toString(),
        Object.fromEntries(headers),
        Buffer.from(raw).toString(),
      ]),
    onError: ({ code }) => errors.push(code),
  });
  for (const byte of bytes) decoder.push(Uint8Array.of(byte));
  decoder.end();
  assert.deepEqual(frames, [
    [0, '{"a":1}', { "x-trace": "7" }, 'X-Trace: 7\r\nContent-Length: 7\r\n\r\n{"a":1}'],
    [65, '{"b":2}', {}, 'Content-Length: 7\r\n\r\n{"b":2}'],
  ]);
  assert.deepEqual(errors, ["ERR_JSON"]);
});

test("works the same where there is no Buffer", () => {
  const script = `
    const bytes = new Uint8Array(${JSON.stringify([...Buffer.concat([frame('{"a":"é日本😀"}'), frame(`{"b":"${"x".repeat(5000)}"}`), Buffer.from("junk\n"), frame('{"c":[1]}')])])});
    delete globalThis.Buffer;
    const { FrameDecoder, FrameEncoder } = await import(${JSON.stringify(fromRoot("build/runtime/index.js"))});
    for (const size of [1, 7, 100000]) {
      const log = [];
      const decoder = new FrameDecoder({ onMessage: (m) => log.push(JSON.stringify(m).length), onError: (e) => log.push(e.code) });
      for (let at = 0; at < bytes.length; at += size) decoder.push(bytes.subarray(at, at + size));
      decoder.end();
      console.log(log.join(" "));
    }
    console.log(String.fromCharCode(...new FrameEncoder().encode({ a: "\\u00e9" })).replace(/\\r\\n/g, "|"));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(
    stdout,
    `${"13 5008 ERR_NOISE 9\n".repeat(3)}Content-Length: 10||{"a":"\u00c3\u00a9"}\n`,
  );
});
