/** Encoders write the same text as `JSON.stringify`, and decoders read it back unchanged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { framingOf } from "@wirewright/ruby-debug-ide";
import { EncodeError, FrameDecoder, FrameEncoder } from "../../runtime/index.js";
import { commandTokens, elementTokens, framesIn } from "../support/fuzzed-framings.js";
import { hostileParts, hostileValue, unbuildable } from "../support/hostile-values.js";
import { mutatedBytes, mutatedJson } from "../support/mutated-inputs.js";
import { property } from "../support/property.js";
import { sampleMessages } from "../support/sample-messages.js";

const plain = new FrameEncoder();
const ascii = new FrameEncoder({ asciiOnly: true });
const lines = new FrameEncoder({ framing: "lines" });

/** Returns the written text, or undefined if the encoder refuses the value. */
function encoded(encoder: FrameEncoder, value: object): string | undefined {
  try {
    return Buffer.from(encoder.encode(value)).toString();
  } catch (error) {
    if (error instanceof EncodeError) return undefined;
    throw error;
  }
}

/** Returns what `JSON.stringify` writes, or undefined if that is not an object. */
function stringified(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text?.startsWith("{") === true ? text : undefined;
  } catch {
    return undefined;
  }
}

function checkEncoding(value: object): void {
  const text = stringified(value);
  const frame = encoded(plain, value);
  const escaped = encoded(ascii, value);
  assert.equal(frame, text && `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  assert.equal(encoded(lines, value), text && `${text}\n`);
  assert.equal(escaped === undefined, text === undefined);
  if (text === undefined) return;
  assert.doesNotMatch(escaped!, /[^\0-\x7f]/);
  const messages: unknown[] = [];
  const decoder = new FrameDecoder({
    limits: { maxDepth: 100_000 },
    onMessage: (message) => messages.push(message),
    onFault: ({ code }) => messages.push(code),
  });
  decoder.push(plain.encodeAll([value, value]));
  decoder.push(Buffer.from(escaped!));
  decoder.end();
  const message: unknown = JSON.parse(text);
  assert.deepEqual(messages, [message, message, message]);
}

property(
  "the encoder writes what JSON.stringify writes",
  mutatedJson({
    seeds: [...sampleMessages("dap"), ...sampleMessages("acp-breakpoints"), ...hostileParts],
    tokens: [
      "\u0000",
      "\u001f",
      '"',
      "\\",
      "\u007f",
      "é",
      "日本",
      "😀",
      "\u2028",
      "\ud83d",
      "\udc00",
    ],
    values: hostileParts,
  }),
  (json) => {
    const value = hostileValue(json);
    if (value !== unbuildable) checkEncoding(value as object);
  },
);

test("values that once were encoded wrongly", () => {
  for (const json of [{ "": { $: "sparse" }, a: { $: "parent" } }, { $: "symbol" }])
    checkEncoding(hostileValue(json) as object);
});

const notations = {
  frontend: framingOf("frontend"),
  debugger: framingOf("debugger"),
  rubymine: framingOf("debugger", "rubymine"),
  "well-formed": framingOf("debugger", "well-formed"),
} as const;

for (const [name, framing] of Object.entries(notations))
  property(
    `commands and elements that are written are read as they were: ${name}`,
    mutatedBytes({
      seeds: [
        ...framesIn("xml-concat.md"),
        ...["break a.rb:1 if x\n", "var local\n", "frame 1\n", "eval a\\nb\n", "catch E\n"],
      ],
      tokens: [...elementTokens, ...commandTokens],
    }),
    (bytes) => {
      const encoder = new FrameEncoder({ framing });
      const read = (bytes: Uint8Array): readonly object[] => {
        const messages: object[] = [];
        const decoder = new FrameDecoder({
          framing,
          onMessage: (message) => messages.push(message),
        });
        decoder.push(bytes);
        decoder.end();
        return messages;
      };
      for (const message of read(bytes)) {
        const text = encoded(encoder, message);
        // Compares with what was written first, because reading may drop or reorder parts.
        if (text === undefined || text.trim() === "") continue;
        assert.equal(
          read(Buffer.from(text))
            .map((again) => encoded(encoder, again))
            .join(""),
          text,
        );
      }
    },
  );
