import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { bundledDap, newestDap, newestDapSchema } from "../../support/dap-versions.js";
import { fromRoot } from "../../support/paths.js";
import { refusalOf } from "../../support/refusal.js";

type Change = (description: any, types: any) => void;

/** Changes a protocol's files and reads it. Returns the error as text. */
async function report(change: Change, source = "test/fixtures/ticker"): Promise<string> {
  return withFolder(async (folder) => {
    const load = (name: string): unknown =>
      JSON.parse(readFileSync(fromRoot(`${source}/${name}`), "utf8"));
    const description = load("protocol.json");
    const types = load("types.json");
    change(description, types);
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description, null, 2),
      "types.json": JSON.stringify(types, null, 2),
    });
    const refusal = await refusalOf(() => readProtocol(folder));
    const position = /:\d+:\d+/;
    assert.ok(refusal === "accepted" || position.test(refusal), `no line: ${refusal}`);
    return refusal.replaceAll(`${folder}/`, "").replace(position, "");
  });
}

const cases: readonly (readonly [string, Change, string])[] = [
  ["nothing wrong", () => undefined, "accepted"],
  [
    "an unknown key",
    (d) => (d.frammings = {}),
    'protocol.json /frammings: Cannot use the unknown key "frammings" [ERR_DESCRIPTION]\n  Did you mean "framing"?',
  ],
  [
    "a deeply nested unknown key",
    (d) => (d.envelope.request.pay = "x"),
    'protocol.json /envelope/request/pay: Cannot use the unknown key "pay" [ERR_DESCRIPTION]\n  Known keys: noun, sender, when, name, payload',
  ],
  [
    "a summary of a message that does not exist",
    (d) => (d.summaries = { "request ticker/strat": ["symbol"] }),
    'protocol.json /summaries/request ticker~1strat: Cannot find the message "request ticker/strat" in version 1.0.0 [ERR_DESCRIPTION]\n  Did you mean "request ticker/start"?',
  ],
  [
    "a summary of a value that does not exist",
    (d) => (d.summaries = { "event ticker/tick": ["the name name/first"] }),
    'protocol.json /summaries/event ticker~1tick/0: Cannot find "name/first" in the payload of "event ticker/tick" [ERR_DESCRIPTION]',
  ],
  [
    "a missing key",
    (d) => delete d.roles,
    'protocol.json: Missing key "roles" [ERR_DESCRIPTION]\n  "roles": The names of the two sides. The first role opens the session',
  ],
  [
    "several missing keys",
    (d) => {
      delete d.roles;
      delete d.framing;
      delete d.directions;
    },
    'protocol.json: Missing keys "roles", "directions", "framing" [ERR_DESCRIPTION]\n  "roles": The names of the two sides. The first role opens the session; "directions": The sender of each message. `both` means either role; "framing": How messages are delimited in the byte stream, keyed by sender role',
  ],
  [
    "a missing key that this way of finding messages requires",
    (d) =>
      (d.messages = {
        by: "inheritance",
        root: "A",
        request: "B",
        event: "C",
        pair: { request: "A*", response: "B*" },
      }),
    'protocol.json /messages: Missing keys "response", "error" [ERR_DESCRIPTION]\n  "response": Definition that all responses extend; "error": Definition of the failure response',
  ],
  [
    "a key that is unknown for this way of finding messages",
    (d) => (d.messages = { ...d.messages, eror: "TickerError" }),
    'protocol.json /messages/eror: Cannot use the unknown key "eror" [ERR_DESCRIPTION]\n  Did you mean "error"?',
  ],
  [
    "an unknown way of finding messages",
    (d) => (d.messages.by = "magic"),
    'protocol.json /messages/by: Cannot use "magic" [ERR_DESCRIPTION]\n  Allowed: inheritance, table, method, const, format',
  ],
  [
    "a JSON Schema in place of a description",
    (d, types) => {
      for (const key of Object.keys(d)) delete d[key];
      Object.assign(d, types);
    },
    "protocol.json: Cannot use a schema as a protocol description [ERR_DESCRIPTION]\n  If it belongs to a bundled protocol, pass it with --schema. For your own protocol, write a protocol.json that names the schema",
  ],
  [
    "an unknown framing",
    (d) => (d.framing.clock = "smoke"),
    'protocol.json /framing/clock: Cannot use "smoke" [ERR_DESCRIPTION]\n  Allowed: content-length, lines, nul, decimal-nul, uint32-be, uint32-le, uint64-be, uint64-le, xml-concat',
  ],
  [
    "an unknown role",
    (d) => (d.directions.exceptions["watcher/confirm"] = "cuckoo"),
    'protocol.json /directions/exceptions/watcher~1confirm: Cannot find the role "cuckoo" [ERR_DESCRIPTION]\n  Known: watcher, clock, both',
  ],
  [
    "an unknown message",
    (d) => (d.directions.exceptions["no"] = "clock"),
    'protocol.json /directions/exceptions/no: Cannot find the message "no" in version 1.0.0 [ERR_DESCRIPTION]',
  ],
  [
    "an unknown flag",
    (d) => (d.gates.messages["watcher/confirm"] = "watcher.nods"),
    'protocol.json /gates/messages/watcher~1confirm: Cannot find the capability "watcher.nods" in version 1.0.0 [ERR_DESCRIPTION]',
  ],
  [
    "a flag for the wrong side",
    (d) => {
      d.capabilities = { clock: { type: "StartParams" } };
      d.gates.messages["watcher/confirm"] = "clock.confirms";
    },
    'protocol.json /gates/messages/watcher~1confirm: Cannot require a capability of the clock for "watcher/confirm", which the watcher receives [ERR_DESCRIPTION]',
  ],
  [
    "a default for a property that does not exist",
    (d) => (d.defaults["StartParams/intervall"] = 1),
    'protocol.json /defaults/StartParams~1intervall: Cannot find the property "StartParams/intervall" in version 1.0.0 [ERR_DESCRIPTION]',
  ],
  [
    "an unknown definition",
    (d) => (d.messages.requests["ticker/start"].params = "Nothing"),
    'types.json /$defs: Cannot find the definition "Nothing" that the description names at /messages/requests/ticker~1start/params [ERR_REF]',
  ],
  [
    "a current version that is not listed",
    (d) => (d.schema.current = "9"),
    'protocol.json /schema/current: Cannot find the version "9" [ERR_DESCRIPTION]\n  Known: 1.0.0',
  ],
  [
    "a definition that conflicts with a wire type",
    (_, t) => (t.$defs.TickerStartRequest = { type: "object" }),
    "accepted",
  ],
  [
    "two messages with the same type name",
    (d) => (d.messages.requests["ticker-start"] = { docs: "x" }),
    "accepted",
  ],
  [
    "a stated wire type that a definition already has",
    (d) => (d.messages.requests["ticker-start"] = { docs: "x", definition: "StartParams" }),
    'types.json: Cannot name the wire type of "ticker-start": "StartParams" is already a definition in the schema [ERR_NAME_COLLISION]\n  Choose another name: "definition" or "response" in the message\'s row, or "names" in the description\'s schema',
  ],
  [
    "no definitions",
    (_, t) => delete t.$defs,
    'types.json: Cannot find any definitions: this JSON Schema does not describe a protocol [ERR_SCHEMA]\n  Put all types into one object, "definitions" or "$defs"',
  ],
  ["an unknown root keyword, which causes a warning", (_, t) => (t.definitons = {}), "accepted"],
  [
    "a package name that is a path",
    (d) => (d.package = "../x"),
    'protocol.json /package: Cannot use "../x": it must match pattern "^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$" [ERR_DESCRIPTION]\n  Name of an npm package',
  ],
];
for (const [name, change, want] of cases) {
  test(`readProtocol() judges a description with ${name}`, async () =>
    assert.equal(await report(change), want));
}

const spelled = "schema/ruby-debug-ide";
const spelledCases: readonly (readonly [string, Change, string])[] = [
  [
    "a template with a field that does not exist",
    (d) => (d.messages.requests.load.line.arguments = " {path}"),
    "protocol.json /messages/requests/load/line/arguments: Cannot use the template: {path} is not a property; known properties: file [ERR_DESCRIPTION]",
  ],
  [
    "a template that omits an argument",
    (d) => (d.messages.requests.set_type.line.arguments = " {variable:word}"),
    "protocol.json /messages/requests/set_type/line/arguments: Cannot use the template: {type} is missing [ERR_DESCRIPTION]",
  ],
  [
    "an optional argument where a required one is needed",
    (d) => (d.messages.requests.frame.line.arguments = " {frame}"),
    'protocol.json /messages/requests/frame/line/arguments: Cannot use the template: {frame} is optional, but is not in "(...)?" [ERR_DESCRIPTION]',
  ],
  [
    "a form that a number cannot have",
    (d) => (d.messages.requests.up.line.arguments = "( {count:code})?"),
    'protocol.json /messages/requests/up/line/arguments: Cannot use the template: {count} cannot have the form "code" [ERR_DESCRIPTION]',
  ],
  [
    "an element with a different name",
    (d) => (d.notation.debugger.elements.FileFilter = '<filter status="{status}"/>'),
    'protocol.json /notation/debugger/elements: Cannot write the message "fileFilter": its definition "FileFilter" has no element called "fileFilter" [ERR_DESCRIPTION]',
  ],
  [
    "elements that no template covers",
    (d) => delete d.notation.debugger.elements.Thread,
    `Found 2 faults:
protocol.json /notation/debugger/elements/Threads: Cannot find the template for "Thread" [ERR_DESCRIPTION]
protocol.json:1040:19 /notation/debugger/elements: Cannot write the message "thread": its definition "Thread" has no element called "thread" [ERR_DESCRIPTION]`,
  ],
  [
    "several faults of a notation and its commands",
    (d) => {
      d.notation.debugger.elements.Threads = "<threads";
      d.notation.debugger.elements.Nothing = "<nothing/>";
      d.messages.requests.up.line.arguments = "( {count:code})?";
      d.messages.requests.where.answered = { lane: "fast", by: ["stack", "heap"] };
    },
    `Found 6 faults:
protocol.json /notation/debugger/elements/Threads: Cannot use the template: {threads} is missing [ERR_DESCRIPTION]
protocol.json:1080:20 /notation/debugger/elements/Nothing: Cannot find the definition "Nothing" [ERR_DESCRIPTION]
protocol.json:507:19 /messages/requests/where/answered/lane: Cannot find the lane "fast" [ERR_DESCRIPTION]
protocol.json:508:17 /messages/requests/where/answered/by: Cannot find the message "stack" [ERR_DESCRIPTION]
protocol.json:508:17 /messages/requests/where/answered/by: Cannot find the message "heap" [ERR_DESCRIPTION]
protocol.json:549:24 /messages/requests/up/line/arguments: Cannot use the template: {count} cannot have the form "code" [ERR_DESCRIPTION]`,
  ],
  [
    "an answer that is not a message",
    (d) => (d.messages.requests.where.answered.by = ["stack"]),
    'protocol.json /messages/requests/where/answered/by: Cannot find the message "stack" [ERR_DESCRIPTION]',
  ],
  [
    "an unknown lane",
    (d) => (d.messages.requests.where.answered.lane = "fast"),
    'protocol.json /messages/requests/where/answered/lane: Cannot find the lane "fast" [ERR_DESCRIPTION]',
  ],
  [
    "a command without a line",
    (d) => delete d.messages.requests.where.line,
    'protocol.json /messages/requests/where: Cannot write "where": it has no "line" field [ERR_DESCRIPTION]',
  ],
  [
    "neither ids nor lanes",
    (d) => {
      delete d.lanes;
      for (const each of Object.values<any>(d.messages.requests)) delete each.answered;
    },
    "protocol.json /envelope: Cannot match answers to commands: messages have no ids, and the description has no lanes [ERR_DESCRIPTION]",
  ],
  [
    "a framing that does not fit the notation",
    (d) => (d.framing.debugger = "lines"),
    'protocol.json /framing/debugger: Cannot use the framing "lines" for xml-element [ERR_DESCRIPTION]\n  Use "xml-concat"',
  ],
];
for (const [name, change, want] of spelledCases) {
  test(`readProtocol() judges a description with ${name}`, async () =>
    assert.equal(await report(change, spelled), want));
}

test("readProtocol() suggests the known protocol closest to a misspelt name", async () => {
  await assert.rejects(readProtocol("dop"), {
    code: "ERR_UNKNOWN_PROTOCOL",
    hint: 'Did you mean "dap"?',
  });
});

test("readProtocol() lists the available versions", async () => {
  await assert.rejects(readProtocol("dap", { version: "1.2.3" }), {
    code: "ERR_UNKNOWN_VERSION",
    hint: `Similar versions: ${bundledDap.slice(0, 2).join(", ")}; known: ${bundledDap.length} versions from ${bundledDap[0]} to ${bundledDap.at(-1)}; or pass a schema file for that version`,
  });
});

test("readProtocol() reads a schema from standard input or an https: URL, but not from any other URL", async () => {
  const text = readFileSync(newestDapSchema, "utf8");
  const bundled = await readProtocol("dap");
  assert.deepEqual(
    (await readProtocol("dap", { schema: "-", readStdin: async () => text })).messages,
    bundled.messages,
  );
  const asked: string[] = [];
  const address = `https://example.test/${newestDap}.json`;
  const fetchText = async (url: string): Promise<string> => (asked.push(url), text);
  assert.deepEqual(await readProtocol("dap", { schema: address, fetchText }), bundled);
  assert.deepEqual(asked, [address]);
  await assert.rejects(readProtocol("dap", { schema: "http://example.test/a.json", fetchText }), {
    code: "ERR_READ",
  });
  await assert.rejects(readProtocol("dap", { schema: "file:///etc/passwd", fetchText }), {
    code: "ERR_READ",
  });
  await assert.rejects(readProtocol("dap", { schema: "/no/such/file.json" }), {
    code: "ERR_READ",
    message: "Cannot read the file: there is no such file",
  });
});
