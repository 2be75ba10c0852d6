/** The description of DBGp: XML documents after their length, and commands with options. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { compile, writeFiles } from "../../../tools/shared/compile.js";
import { everyCut } from "../../../tools/shared/frame-cases.js";
import { fromRoot } from "../../../tools/shared/paths.js";
import { shownFiles } from "../../support/guide-programs.js";
import { readPage } from "../../support/markdown-page.js";
import { runCommand } from "../../support/run-command.js";

const page = "docs/guides/dbgp.md";
const program = `<?php
function add(int $a, string $word) {
    $sum = $a + strlen($word);
    return $sum;
}
echo add(40, "zwei"), "\\n";
`;
const description = fromRoot("examples/dbgp");

/** Whether PHP with Xdebug is installed. */
const { stdout: modules } = spawnSync("php", ["-m"], { encoding: "utf8" });
const withoutXdebug = /xdebug/i.test(modules ?? "") ? false : "needs php-cli and php-xdebug";

let folder = "";

before(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewright-dbgp-"));
  cpSync(description, join(folder, "node_modules/wirewright/examples/dbgp"), { recursive: true });
  writeFiles(folder, {
    ...shownFiles(page),
    "program.php": program,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{ target: "es2022", lib: ["es2023", "dom"], module: "nodenext", strict: true },
        ...{ outDir: "out", rootDir: ".", types: ["node"] },
        typeRoots: [fromRoot("node_modules/@types")],
      },
      include: ["dbgp/**/*.ts"],
    }),
  });
  const [command = ""] = readPage(page)
    .blocks.find(({ language }) => language === "sh")!
    .text.split("\n");
  const { status, stderr } = runCommand(folder, command.split(" ").slice(2));
  assert.deepEqual([status, stderr], [0, ""]);
  assert.equal(compile("TypeScript 7", "-p", folder), "");
});

after(() => rmSync(folder, { recursive: true, force: true }));

interface Codec {
  createDecoder(options: object): { push(bytes: Uint8Array): void; end(): void };
  createEncoder(options: object): { encode(message: object): Uint8Array };
}

const load = async (name: string): Promise<unknown> =>
  (await import(pathToFileURL(join(folder, "out/dbgp/dbgp", name)).href)) as unknown;

/** A decoder's reports for bytes that are cut into chunks. */
function logOf(codec: Codec, from: string, bytes: Uint8Array, cuts: readonly number[]): unknown[] {
  const log: unknown[] = [];
  const decoder = codec.createDecoder({
    from,
    onMessage: ({ status, message }: { status: string; message: object }) =>
      log.push([status, message]),
    onFault: ({ code, offset, length }: { code: string; offset: number; length: number }) =>
      log.push([code, offset, length]),
  });
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    decoder.push(bytes.slice(start, cut));
    start = cut;
  }
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
          ...{ fileuri: "file:///a%20b.php", language: "PHP", language_version: "8.2" },
          ...{ protocol_version: "1.0", appid: "7", idekey: "<me>" },
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
        ...{ response: "run", transaction_id: 5 },
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
        ...{ response: "context_get", transaction_id: 6 },
        body: {
          context: 0,
          properties: [
            {
              ...{ name: "$é", fullname: "$é", type: "array", children: 1, numchildren: 1 },
              ...{ page: 0, pagesize: 32 },
              properties: [
                {
                  ...{ name: "0", fullname: "$é[0]", type: "string", size: 2 },
                  ...{ encoding: "base64", value: "YWI=" },
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
        ...{ response: "property_get", transaction_id: 8 },
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

test("packets of an engine are messages under every cut", async () => {
  const codec = (await load("codec.js")) as Codec;
  const bytes = Buffer.from(packets.map(([xml]) => packet(xml)).join(""));
  const expected = packets.map(([, logged]) => logged);
  for (const { name, cuts } of everyCut(bytes.length))
    assert.deepEqual(logOf(codec, "engine", bytes, cuts), expected, name);
});

test("a damaged packet takes no other one with it", async () => {
  const codec = (await load("codec.js")) as Codec;
  const [good, logged] = packets[3]!;
  const damaged = [
    ["<response", "ERR_TRUNCATED"],
    ['<response command="run"></respond>', "ERR_ELEMENT"],
    ["<a/><b/>", "ERR_ELEMENT"],
    ["no element", "ERR_ELEMENT"],
    [`${"<a>".repeat(5_000)}`, "ERR_DEPTH"],
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
      ...{ command: "breakpoint_set", transaction_id: 3 },
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

test("commands are written and read under every cut, with their options in any order", async () => {
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

test("values that have no place in a command are refused with their path", async () => {
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

test("an engine of the package answers a client of the package over sockets", async () => {
  const { connect } = (await load("connection.js")) as {
    connect(side: string, transport: object, options?: object): Connected;
  };
  const { nodeTransport } = (await load("node.js")) as {
    nodeTransport(input: object, output: object): object;
  };
  const server = createServer((socket) => {
    const engine = connect("engine", nodeTransport(socket, socket), {
      handlers: {
        status: () => ({ status: "starting", reason: "ok" }),
        stack_get: ({ depth }: { depth?: number } = {}) => ({
          frames: [{ level: depth ?? 0, type: "file", filename: "a.php", lineno: 4, where: "<a>" }],
        }),
        eval: ({ expression }: { expression: string }) => ({
          property: { type: "string", value: `${expression} ]]> &` },
        }),
      },
    });
    engine.notify("init", { fileuri: "a", language: "X", protocol_version: "1.0", appid: "1" });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { connect: open } = await import("node:net");
  const socket = open((server.address() as AddressInfo).port, "127.0.0.1");
  const ide = connect("ide", nodeTransport(socket, socket));
  assert.deepEqual(await ide.once("init"), {
    ...{ fileuri: "a", language: "X", protocol_version: "1.0", appid: "1" },
  });
  const [status, stack, value, failure] = await Promise.all([
    ide.request("status"),
    ide.request("stack_get", { depth: 1 }),
    ide.request("eval", { expression: "ä" }),
    ide.request("detach").catch((error: Error) => error.message),
  ]);
  assert.deepEqual(
    [status, stack, value, failure],
    [
      { status: "starting", reason: "ok" },
      { frames: [{ level: 1, type: "file", filename: "a.php", lineno: 4, where: "<a>" }] },
      { property: { type: "string", value: "ä ]]> &" } },
      "There is no command detach",
    ],
  );
  await ide.close();
  server.close();
});

interface Connected {
  once(name: string): Promise<unknown>;
  request(name: string, values?: object): Promise<unknown>;
  notify(name: string, body: object): void;
  close(): Promise<void>;
}

test("the client of the guide debugs PHP", { skip: withoutXdebug }, () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "out/dbgp/client.js"), "program.php"],
    { cwd: folder, encoding: "utf8", timeout: 60_000 },
  );
  const shown = readPage(page).blocks.find(({ language }) => language === "text")!.text;
  // The page leaves the stack of the error out.
  const lines = stdout.split("\n");
  const end = lines.findIndex((line) => line.startsWith("RequestError"));
  assert.deepEqual([status, stderr, lines.slice(0, end + 1).join("\n")], [0, "", shown.trimEnd()]);
});

test(
  "a tap between PHP and the client sees the session, and lint a second answer to stop",
  { skip: withoutXdebug },
  async () => {
    const free = async (): Promise<number> => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, "close");
      return port;
    };
    const [listen, ide] = [await free(), await free()];
    const out = join(folder, "session.jsonl");
    const tap = spawn(process.execPath, [
      fromRoot("build/generator/cli.js"),
      ...["tap", "--protocol", description, "--listen", String(listen)],
      ...["--connect", String(ide), "--out", out],
    ]);
    await once(tap.stderr, "data");
    const text = readFileSync(join(folder, "out/dbgp/client.js"), "utf8")
      .replace("server.listen(0", `server.listen(${ide}`)
      .replace("client_port=${port}", `client_port=${listen}`);
    writeFiles(folder, { "out/dbgp/tapped.js": text });
    const client = spawn(process.execPath, [join(folder, "out/dbgp/tapped.js"), "program.php"], {
      cwd: folder,
    });
    assert.deepEqual(await once(client, "exit"), [0, null]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    tap.kill("SIGINT");
    await once(tap, "exit");
    const names = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            kind?: string;
            from?: string;
            message?: { command?: string; event?: string };
          },
      )
      .filter(({ kind, from }) => kind === "message" && from === "ide")
      .map(({ message }) => message?.command);
    assert.deepEqual(names, [
      ...["status", "feature_get", "breakpoint_set", "run", "stack_get", "context_get"],
      ...["eval", "property_get", "stop"],
    ]);
    const { stdout } = runCommand(folder, ["lint", "--protocol", description, out]);
    const found = [...stdout.matchAll(/^(?:error|warning) +(\S+)/gm)].map(([, id]) => id);
    assert.deepEqual(found, ["response.double"]);
  },
);
