import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createDecoder,
  createFrameDecoder,
  notations,
  type Classified,
  type FrameFaultCode,
} from "@wirewright/ruby-debug-ide";
import { rubySessions } from "../../support/recorded-sessions.js";

function messageOf(classified: Classified): object | undefined {
  return classified.status === "malformed" ? undefined : classified.message;
}

/** Part of a stream, with its range. */
type Part = readonly [kind: string, offset: number, length: number, content: string];

function partsOf(bytes: Uint8Array, cuts: readonly number[], strict: boolean): readonly Part[] {
  const parts: Part[] = [];
  const decoder = createDecoder({
    from: "debugger",
    recovery: strict ? "strict" : "tolerant",
    limits: { maxBodyBytes: 100, maxHeaderCount: 5, maxDepth: 8 },
    onMessage: (message, { offset, bodyLength }) =>
      parts.push(["message", offset, bodyLength, JSON.stringify(messageOf(message))]),
    onFault: ({ code, offset, length }) => parts.push(["error", offset, length, code]),
    onNoise: (noise, offset) => {
      const last = parts.at(-1);
      if (last?.[0] !== "noise" || last[1] + last[2] !== offset)
        parts.push(["noise", offset, noise.length, ""]);
      else parts[parts.length - 1] = ["noise", last[1], last[2] + noise.length, ""];
    },
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    decoder.push(Uint8Array.from(bytes.subarray(from, cut)));
    from = cut;
  }
  decoder.end();
  return parts;
}

/**
 * Asserts that messages, damage and noise cover the stream, with nothing but whitespace between
 * them.
 */
function assertTiled(bytes: Uint8Array, parts: readonly Part[]): void {
  const covered = new Array<string | undefined>(bytes.length).fill(undefined);
  const ranges = parts
    .filter(([, , , content]) => content !== "ERR_NOISE")
    .sort(([, a], [, b]) => a - b);
  let end = 0;
  for (const [kind, offset, length] of ranges) {
    assert.ok(offset >= end, `${kind} at ${offset} lies over what ends at ${end}`);
    end = offset + length;
    covered.fill(kind, offset, end);
  }
  const gap = covered.findIndex(
    (kind, at) => kind === undefined && !" \t\r\n".includes(String.fromCharCode(bytes[at]!)),
  );
  assert.equal(gap, -1, "a byte is missing");
}

const pieces = [
  "<",
  ">",
  "/>",
  "</",
  '"',
  "'",
  "\\",
  " ",
  "\n",
  "\r\n",
  "x",
  "=",
  "&lt;",
  "]]>",
  "]]></",
  "<![CDATA[",
  '" />',
  "<eval ",
  'expression="1"',
  ' value="',
  "<message>",
  "</message>",
  "<frames>",
  "</frames>",
  "<frame ",
  "<variables>",
  "</variables>",
  "<variable ",
  "<value>",
  'name="a" kind="b"',
  "</value>",
  '<suspended file="',
  'line="1"',
  "<foo>",
  "</foo>",
  "<foo",
  "<foo/>",
  '<catchpointSet exception="',
  "<breakpoints>",
  '<breakpoint n="1"',
  "<a>",
  "</a>",
  '<a b="',
  '<breakpointDeleted no="1"/>',
  "<constructor>",
  "é",
  "\0",
  "<s",
  "<!",
  "<?",
  "yyyy",
  '<exception file="a" line="1" type="E" message="',
  "<error>",
  "</error>",
];

/** Creates a pseudo-random number generator. */
function randomFrom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function assertSound(bytes: Uint8Array, random: (most: number) => number): void {
  const isStrict = random(4) === 0;
  const whole = partsOf(bytes, [], isStrict);
  if (!isStrict) assertTiled(bytes, whole);
  const everyByte = Array.from({ length: Math.max(0, bytes.length - 1) }, (_, at) => at + 1);
  const some = everyByte.filter(() => random(8) === 0);
  for (const cuts of [everyByte, some])
    assert.deepEqual(partsOf(bytes, cuts, isStrict), whole, JSON.stringify(cuts));
}

test("the decoded parts cover any stream, no matter how it is split", () => {
  const random = randomFrom(29);
  for (let round = 0; round < 4_000; round++) {
    const text = Array.from({ length: random(16) }, () => pieces[random(pieces.length)]).join("");
    try {
      assertSound(Buffer.from(text), random);
    } catch (error) {
      throw new Error(`Failed for ${JSON.stringify(text)}`, { cause: error });
    }
  }
});

test("the decoded parts cover damaged recordings, no matter how they are split", () => {
  const random = randomFrom(31);
  const streams = rubySessions.map(({ name, folder }) =>
    readFileSync(join(folder, `${name}.s2c.bin`)),
  );
  assert.ok(streams.length > 0);
  for (let round = 0; round < 1_500; round++) {
    const stream = streams[random(streams.length)]!;
    const from = random(stream.length);
    let bytes = stream.subarray(from, from + random(500));
    for (let count = random(4); count > 0; count--) {
      const at = random(bytes.length + 1);
      const piece = Buffer.from(pieces[random(pieces.length)]!);
      bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + random(6))]);
    }
    assertSound(bytes, random);
  }
});

/** Returns the error codes in a stream, and the number of messages. */
function summaryOf(stream: string): {
  readonly messages: number;
  readonly errors: readonly FrameFaultCode[];
} {
  let messages = 0;
  const errors: FrameFaultCode[] = [];
  const decoder = createDecoder({
    from: "debugger",
    onMessage: () => messages++,
    onFault: ({ code }) => errors.push(code),
  });
  decoder.push(Buffer.from(stream));
  decoder.end();
  return { messages, errors };
}

test("the nesting limit for elements is checked before memory is allocated", () => {
  const children = (count: number): string => `<a>${"<b/>".repeat(count)}</a>\n`;
  assert.deepEqual(summaryOf(children(1_000_000)), { messages: 1, errors: [] });
  assert.deepEqual(summaryOf(children(1_000_001)), {
    messages: 0,
    errors: ["ERR_ELEMENT", "ERR_NOISE"],
  });
});

test("elements may nest as deeply as JSON values", () => {
  const nested = (depth: number): string => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}\n`;
  let text = "";
  const decoder = createDecoder({
    from: "debugger",
    onMessage: (message) => (text = JSON.stringify(messageOf(message))),
  });
  decoder.push(Buffer.from(nested(2_048)));
  assert.equal(text.split('"attributes"').length - 1, 2_048);
  assert.deepEqual(summaryOf(nested(2_049)), { messages: 0, errors: ["ERR_DEPTH", "ERR_NOISE"] });
});

test("names such as constructor become own fields, and do not change a prototype", () => {
  const messages: { body: object }[] = [];
  const decoder = createDecoder({
    from: "debugger",
    onMessage: (message) => messages.push(messageOf(message) as { body: object }),
  });
  decoder.push(
    Buffer.from(
      '<error __proto__="a" constructor="b">c</error><x __proto__="a"><__proto__ y="z"/></x>\n',
    ),
  );
  const [error, custom] = messages.map(({ body }) => body);
  assert.deepEqual(Object.keys(error!), ["__proto__", "constructor", "text"]);
  assert.equal(Object.getPrototypeOf(error), Object.prototype);
  const { attributes } = custom as { attributes: object };
  assert.deepEqual(Object.entries(attributes), [["__proto__", "a"]]);
  assert.equal(Object.getPrototypeOf(attributes), Object.prototype);
  assert.deepEqual(Object.getOwnPropertyDescriptor(attributes, "__proto__"), {
    value: "a",
    writable: true,
    enumerable: true,
    configurable: true,
  });
  assert.equal(({} as { y?: unknown }).y, undefined);
});

test("at most a thousand commands are read from a line, and the rest becomes one unknown command", () => {
  const read = notations.frontend.readLine("where;".repeat(1_500));
  assert.equal(read.length, 1_001);
  assert.deepEqual(read[999], { command: "where" });
  assert.deepEqual(read[1_000], { command: "where;".repeat(500) });
});

test("a large chunk is read in pieces, and the decoder does not retain it", () => {
  const frames: string[] = [];
  const decoder = createFrameDecoder({
    from: "debugger",
    onFrame: ({ offset, bodyLength }) => frames.push(`${offset}+${bodyLength}`),
  });
  const chunk = Buffer.from(`${"x".repeat(100_000)}\n${"<message>y</message>".repeat(2)}`);
  decoder.push(chunk);
  decoder.end();
  assert.deepEqual(frames, ["0+100001", "100001+20", "100021+20"]);
});

test("bytes that do not belong to a message are reported during the call that pushes their chunk", () => {
  const log: string[] = [];
  const decoder = createDecoder({
    from: "debugger",
    onMessage: () => log.push("message"),
    onFault: ({ code }) => log.push(code),
    onNoise: (bytes, offset) => log.push(`${offset} ${Buffer.from(bytes).toString()}`),
  });
  for (const chunk of ["<frames></x>one ", "two ", "three\n", "<message>m</message>"]) {
    decoder.push(Buffer.from(chunk));
    log.push("pushed");
  }
  assert.deepEqual(log, [
    "ERR_ELEMENT",
    "12 one ",
    "pushed",
    "16 two ",
    "pushed",
    "20 three\n",
    "pushed",
    "ERR_NOISE",
    "message",
    "pushed",
  ]);
});

test("push() and end() called in a handler take effect after the current chunk", () => {
  const log: string[] = [];
  const decoder = createDecoder({
    from: "debugger",
    onMessage: (classified, { offset }) => {
      log.push(`${offset} ${JSON.stringify(messageOf(classified))}`);
      if (offset === 0) {
        decoder.push(Buffer.from("<message>c</message>half"));
        decoder.end();
      }
    },
  });
  decoder.push(Buffer.from("<message>a</message><message>b</message>"));
  assert.deepEqual(log, [
    '0 {"element":"message","body":{"text":"a"}}',
    '20 {"element":"message","body":{"text":"b"}}',
    '40 {"element":"message","body":{"text":"c"}}',
    '60 {"element":"#text","body":{"text":"half"}}',
  ]);
});
