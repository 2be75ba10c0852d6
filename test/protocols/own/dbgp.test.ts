/**
 * Tests the DBGp description: XML documents preceded by their length, and commands with options.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
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

const packets: readonly (readonly [xml: string, logged: unknown])[] = [
  [
    `<?xml version="1.0" encoding="iso-8859-1"?>\n<init xmlns="urn:debugger_protocol_v1" xmlns:xdebug="https://xdebug.org/dbgp/xdebug" fileuri="file:///a%20b.php" language="PHP" xdebug:language_version="8.2" protocol_version="1.0" appid="7" idekey="&lt;me&gt;"><engine version="3.2.0"><![CDATA[Xdebug & <co>]]></engine><author><![CDATA[A]]></author></init>`,
    [
      "known",
      {
        event: "init",
        body: {
          fileuri: "file:///a%20b.php",
          language: "PHP",
          language_version: "8.2",
          protocol_version: "1.0",
          appid: "7",
          idekey: "<me>",
          engine: { version: "3.2.0", name: "Xdebug & <co>" },
        },
      },
    ],
  ],
  [
    '<response command="run" transaction_id="5" status="break" reason="ok"><xdebug:message filename="file:///a.php" lineno="4"></xdebug:message></response>',
    [
      "known",
      {
        response: "run",
        transaction_id: 5,
        body: {
          status: "break",
          reason: "ok",
          at: { filename: "file:///a.php", lineno: 4, text: "" },
        },
      },
    ],
  ],
  [
    '<response command="context_get" transaction_id="6" context="0"><property name="$é" fullname="$é" type="array" children="1" numchildren="1" page="0" pagesize="32"><property name="0" fullname="$é[0]" type="string" size="2" encoding="base64"><![CDATA[YWI=]]></property></property>\n <!-- none --> <property name="$u" fullname="$u" type="uninitialized"/></response>',
    [
      "known",
      {
        response: "context_get",
        transaction_id: 6,
        body: {
          context: 0,
          properties: [
            {
              name: "$é",
              fullname: "$é",
              type: "array",
              children: 1,
              numchildren: 1,
              page: 0,
              pagesize: 32,
              properties: [
                {
                  name: "0",
                  fullname: "$é[0]",
                  type: "string",
                  size: 2,
                  encoding: "base64",
                  value: "YWI=",
                },
              ],
            },
            { name: "$u", fullname: "$u", type: "uninitialized" },
          ],
        },
      },
    ],
  ],
  [
    '<response command="context_get" transaction_id="7"/>',
    ["known", { response: "context_get", transaction_id: 7, body: { properties: [] } }],
  ],
  [
    '<response command="property_get" transaction_id="8"><error code="300"><message>can not get property</message></error></response>',
    [
      "known",
      {
        response: "property_get",
        transaction_id: 8,
        error: { code: 300, message: "can not get property" },
      },
    ],
  ],
  [
    '<response command="stdout" transaction_id="8"><error code="5"><message>y</message></error></response>',
    ["known", { response: "stdout", transaction_id: 8, error: { code: 5, message: "y" } }],
  ],
  [
    '<response command="xcmd_new" transaction_id="9" count="3"><error code="4"><message>x</message></error></response>',
    ["custom", { response: "xcmd_new", transaction_id: 9, error: { code: 4, message: "x" } }],
  ],
  [
    '<response command="xcmd_new" transaction_id="9" count="3"/>',
    [
      "custom",
      {
        response: "xcmd_new",
        transaction_id: 9,
        body: { count: "3" },
      },
    ],
  ],
  [
    '<stream type="stdout" encoding="base64"><![CDATA[NDQK]]></stream>',
    ["known", { event: "stream", body: { type: "stdout", encoding: "base64", data: "NDQK" } }],
  ],
  [
    '<later a="1"><b>2</b></later>',
    [
      "custom",
      {
        event: "later",
        body: { attributes: { a: "1" }, elements: [{ element: "b", attributes: {}, text: "2" }] },
      },
    ],
  ],
];

test("packets from an engine decode to the same messages no matter how the bytes are split", async () => {
  const codec = (await load("codec.js")) as Codec;
  const bytes = Buffer.from(packets.map(([xml]) => packet(xml)).join(""));
  const expected = packets.map(([, logged]) => logged);
  for (const { name, cuts } of everyCut(bytes.length))
    assert.deepEqual(logOf(codec, "engine", bytes, cuts), expected, name);
});

test("a packet of the greatest depth becomes a message that JSON can express", async () => {
  const codec = (await load("codec.js")) as Codec;
  const depth = 2_046;
  const inside = '<property name="a">'.repeat(depth) + "</property>".repeat(depth);
  const bytes = Buffer.from(
    packet(`<response command="context_get" transaction_id="1">${inside}</response>`),
  );
  const [message] = logOf(codec, "engine", bytes, []);
  assert.equal(JSON.stringify(message).split('"name":"a"').length - 1, depth);
});

test("a damaged packet does not affect the next one", async () => {
  const codec = (await load("codec.js")) as Codec;
  const [good, logged] = packets[3]!;
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

const commands: readonly (readonly [line: string, message: object])[] = [
  ["status -i 1", { command: "status", transaction_id: 1 }],
  [
    "feature_get -i 2 -n max_depth",
    { command: "feature_get", transaction_id: 2, arguments: { name: "max_depth" } },
  ],
  [
    'breakpoint_set -i 3 -t conditional -f "file:///a b.php" -n 4 -- JGEgPT0gInjDpCI=',
    {
      command: "breakpoint_set",
      transaction_id: 3,
      arguments: {
        type: "conditional",
        file: "file:///a b.php",
        line: 4,
        expression: '$a == "xä"',
      },
    },
  ],
  [
    'property_get -i 4 -n "$a[\\"\\\\\\"]"',
    { command: "property_get", transaction_id: 4, arguments: { name: '$a["\\"]' } },
  ],
  [
    'feature_set -i 5 -n x -v ""',
    { command: "feature_set", transaction_id: 5, arguments: { name: "x", value: "" } },
  ],
  ["xcmd_new -i 6 -q 7", { command: "xcmd_new", transaction_id: 6, arguments: { "-q": "7" } }],
];

test("commands are written and read with their options in any order, no matter how the bytes are split", async () => {
  const codec = (await load("codec.js")) as Codec;
  const encoder = codec.createEncoder({ from: "ide" });
  for (const [line, message] of commands)
    assert.equal(Buffer.from(encoder.encode(message)).toString(), `${line}\0`);
  const others = [
    ...commands.map(([line]) => line),
    "feature_set -v 1 -n  max_depth   -i 7",
    'feature_get -n "open',
    "",
    "eval -i 8 -- JGE=",
  ];
  const bytes = Buffer.from(others.map((line) => `${line}\0`).join(""));
  const open = bytes.indexOf('feature_get -n "open');
  const expected = [
    ...commands.map(([, message]) => message),
    { command: "feature_set", transaction_id: 7, arguments: { value: "1", name: "max_depth" } },
    ["ERR_JSON", open, 20],
    { command: "eval", transaction_id: 8, arguments: { expression: "$a" } },
  ];
  for (const { name, cuts } of everyCut(bytes.length)) {
    const log = logOf(codec, "ide", bytes, cuts).map((each) =>
      ["known", "custom"].includes((each as string[])[0]!) ? (each as unknown[])[1] : each,
    );
    assert.deepEqual(log, expected, name);
  }
});

test("values that a command cannot express are refused, and the error names the value's path", async () => {
  const codec = (await load("codec.js")) as Codec;
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
