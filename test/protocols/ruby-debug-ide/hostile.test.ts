import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createDecoder,
  createFrameDecoder,
  notations,
  type Classified,
  type FrameFaultCode,
} from "@wirewright/ruby-debug-ide";

function messageOf(classified: Classified): object | undefined {
  return classified.status === "malformed" ? undefined : classified.message;
}

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
