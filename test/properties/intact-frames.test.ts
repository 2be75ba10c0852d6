/** No intact frame is lost, whatever stands in front of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fuzzedFramings, type FuzzedFraming } from "../support/fuzzed-framings.js";
import { property } from "../support/property.js";
import { recordStream } from "../support/stream-oracles.js";

/** Framings in which nothing but a delimiter ends a damaged frame. */
const delimited = new Set(["lines", "nul", "command-lines", "command-options"]);

function assertArrives(framing: FuzzedFraming, damaged: Uint8Array): void {
  const { bytes, json } = framing.intact;
  const before = Buffer.concat([
    damaged,
    Buffer.from(delimited.has(framing.name) ? framing.end : ""),
  ]);
  const stream = Buffer.concat([before, Buffer.from(bytes, "latin1")]);
  const options = { ...(framing.framing && { framing: framing.framing }) };
  const settings = { isParsed: true, isGap: framing.isGap };
  const messages = recordStream(stream, [], options, settings).flatMap((record) =>
    record.kind === "message" ? [record.json] : [],
  );
  assert.ok(messages.includes(json), JSON.stringify(before.toString("latin1")));
}

for (const framing of fuzzedFramings) {
  const { name, intact } = framing;
  const bytes = Buffer.from(intact.bytes, "latin1");

  test(`${name}: an intact frame arrives after any part of a frame`, () => {
    for (let start = 0; start < bytes.length; start++)
      for (let end = start; end <= bytes.length; end++) {
        // Two whole lines with different lengths are one header, which is refused.
        if (name === "content-length" && bytes.toString("latin1", start, end).endsWith("5\r\n"))
          continue;
        assertArrives(framing, bytes.subarray(start, end));
      }
  });

  test(`${name}: an intact frame arrives after a frame that lacks up to 16 bytes`, () => {
    for (let hole = 1; hole <= 16; hole++)
      for (let at = 0; at + hole <= bytes.length; at++)
        assertArrives(framing, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + hole)]));
  });

  property(
    `${name}: an intact frame arrives after up to 16 other bytes`,
    fc.oneof(
      fc.uint8Array({ maxLength: 16 }),
      fc.array(fc.constantFrom(...bytes), { maxLength: 16 }).map((list) => Uint8Array.from(list)),
    ),
    (inserted) => assertArrives(framing, inserted),
    2_000,
  );
}
