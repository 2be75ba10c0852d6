/**
 * Tests the DBGp description: XML documents preceded by their length, and commands with options.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readInput, testCases } from "../../support/case-list.js";
import { everyCut } from "../../support/frame-cases.js";
import { dbgpPackage } from "../../support/dbgp-package.js";
import { pushPieces } from "../../support/stream-oracles.js";

const { load } = dbgpPackage();

interface Codec {
  createDecoder(options: object): { push(bytes: Uint8Array): void; end(): void };
  createEncoder(options: object): { encode(message: object): Uint8Array };
}

/** Decodes bytes in chunks and returns the decoder's reports. */
function logOf(codec: Codec, from: string, bytes: Uint8Array, cuts: readonly number[]): unknown[] {
  const log: unknown[] = [];
  const decoder = codec.createDecoder({
    from,
    onMessage: ({ status, message }: { status: string; message: object }) =>
      log.push([status, message]),
    onFault: ({ code, offset, length }: { code: string; offset: number; length: number }) =>
      log.push([code, offset, length]),
  });
  pushPieces(decoder, bytes, cuts);
  decoder.end();
  return log;
}

const packet = (xml: string): string => `${Buffer.byteLength(xml)}\0${xml}\0`;

const codec = (await load("codec.js")) as Codec;

testCases("test/cases/dbgp.md", "DBGp is decoded however the bytes are split", (input, section) => {
  const [text] = readInput(input) as readonly [string];
  const from = section === "packets" ? "engine" : "ide";
  const bytes = Buffer.from(from === "ide" ? `${text}\0` : packet(text));
  const [whole, ...others] = everyCut(bytes.length);
  const log = logOf(codec, from, bytes, whole!.cuts);
  for (const { name, cuts } of others)
    assert.deepEqual(logOf(codec, from, bytes, cuts), log, `${input}, ${name}`);
  if (from === "ide") {
    const [[, message]] = log as [[string, object]];
    assert.deepEqual(Buffer.from(codec.createEncoder({ from }).encode(message)), bytes);
  }
  return log.map((each) => JSON.stringify(each));
});

test("a packet of the greatest depth becomes a message that JSON can express", () => {
  const depth = 2_046;
  const inside = '<property name="a">'.repeat(depth) + "</property>".repeat(depth);
  const bytes = Buffer.from(
    packet(`<response command="context_get" transaction_id="1">${inside}</response>`),
  );
  const [message] = logOf(codec, "engine", bytes, []);
  assert.equal(JSON.stringify(message).split('"name":"a"').length - 1, depth);
});

test("a damaged packet does not affect the next one", () => {
  const good = '<response command="context_get" transaction_id="7"/>';
  const [logged] = logOf(codec, "engine", Buffer.from(packet(good)), []);
  const damaged = [
    ["<response", "ERR_TRUNCATED"],
    ['<response command="run"></respond>', "ERR_ELEMENT"],
    ["<a/><b/>", "ERR_ELEMENT"],
    ["no element", "ERR_ELEMENT"],
    ["<a>".repeat(2_100) + "</a>".repeat(2_100), "ERR_DEPTH"],
    [`<a>${"<b/>".repeat(1_000_001)}</a>`, "ERR_ELEMENT"],
  ] as const;
  for (const [xml, code] of damaged) {
    const bytes = Buffer.from(packet(xml) + packet(good));
    const length = packet(xml).length - 1;
    const cuts = [1, 3, Math.floor(bytes.length / 2)];
    assert.deepEqual(
      logOf(codec, "engine", bytes, cuts),
      [[code, 0, length], logged],
      xml.slice(0, 40),
    );
  }
});

test("options are read in any order, and a damaged command does not affect the next one", () => {
  const lines = [
    "status -i 1",
    "feature_set -v 1 -n  max_depth   -i 7",
    'feature_get -n "open',
    "",
    "eval -i 8 -- JGE=",
  ];
  const bytes = Buffer.from(lines.map((line) => `${line}\0`).join(""));
  const expected = [
    ["known", { command: "status", transaction_id: 1 }],
    [
      "known",
      { command: "feature_set", transaction_id: 7, arguments: { value: "1", name: "max_depth" } },
    ],
    ["ERR_JSON", bytes.indexOf('feature_get -n "open'), 20],
    ["known", { command: "eval", transaction_id: 8, arguments: { expression: "$a" } }],
  ];
  for (const { name, cuts } of everyCut(bytes.length))
    assert.deepEqual(logOf(codec, "ide", bytes, cuts), expected, name);
});

test("values that a command cannot express are refused, and the error names the value's path", () => {
  const encoder = codec.createEncoder({ from: "ide" });
  for (const [message, path] of [
    [{ command: "feature_get", transaction_id: 1, arguments: { name: "a\0b" } }, "/arguments/name"],
    [{ command: "feature_get", transaction_id: 1, arguments: { name: {} } }, "/arguments/name"],
    [{ command: "feature_get", transaction_id: 1, arguments: { other: "a" } }, "/arguments/other"],
    [{ command: "a b", transaction_id: 1 }, "/command"],
    [
      { command: "breakpoint_set", transaction_id: 1, arguments: { type: "odd" } },
      "/arguments/type",
    ],
  ] as const)
    assert.throws(
      () => encoder.encode(message),
      (error: Error & { pointer?: string }) => error.pointer === path,
      path,
    );
});
