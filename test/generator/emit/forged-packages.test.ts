import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ts } from "ts-morph";
import { generate } from "../../../cli/index.js";
import { quote } from "../../../generator/emit/printer/source-file.js";
import { compile, installedCompilers, withProject, writeFiles } from "../../support/compile.js";
import { assertShown, forged, unseenCharacters } from "../../support/forged-text.js";
import { loadPackage } from "../../support/load-package.js";

/** Malicious text for names in a description, which cannot contain line breaks. */
const line = forged.replaceAll(/[\r\n]/g, " ");
const text = (name: string): string => `${forged} ${name}`;
const name = (what: string): string => `${line} ${what}`;

const description = {
  name: "forged",
  title: name("title"),
  package: "forged",
  roles: ["client-side", "server-side"],
  schema: {
    format: "json-schema",
    current: name("version"),
    versions: { [name("version")]: "types.json" },
    annotations: [text("annotation")],
  },
  messages: {
    by: "table",
    error: "Failure",
    sets: { set: name("set") },
    requests: {
      [name("open")]: {
        docs: text("docs"),
        params: "A",
        result: "Flags",
        deprecated: name("d"),
        set: "set",
      },
      [text("ask")]: { docs: text("docs"), params: "A?", result: "B" },
    },
    events: {
      [name("event")]: { docs: text("docs"), params: "B", deprecated: name("d") },
      [text("changed")]: { docs: text("docs"), params: "Flags" },
    },
  },
  directions: {
    requests: "client-side",
    events: "server-side",
    exceptions: { [text("ask")]: "both" },
  },
  envelope: {
    constants: { [name("constant")]: text("constant") },
    id: name("id"),
    idTypes: ["integer", "string"],
    replyTo: name("id"),
    request: {
      when: { [name("method")]: true, [name("id")]: true, [name("kind")]: text("request") },
      name: name("method"),
      payload: name("params"),
    },
    event: {
      noun: "notification",
      when: { [name("method")]: true, [name("id")]: false },
      name: name("method"),
      payload: name("params"),
    },
    response: {
      when: { [name("method")]: false, [name("id")]: true },
      result: name("result"),
      error: name("error"),
      errorText: name("text"),
    },
  },
  framing: { "client-side": "lines", "server-side": "content-length" },
  conversation: {
    opening: name("open"),
    cancel: { message: name("event"), id: name("id") },
    failures: {
      text: [`/${line}`],
      variables: `/${line}`,
      unknown: { [text("key")]: text("unknown") },
      failed: { [text("key")]: text("failed") },
      cancelled: { [text("key")]: text("cancelled") },
    },
  },
  references: {
    [name("thing")]: { docs: name("docs"), properties: [name("thing")], except: line },
  },
  capabilities: { "server-side": { type: "Flags" } },
  gates: { messages: { [text("ask")]: "server-side.canAsk" } },
  defaults: { "A/plain": text("default") },
  extensible: ["B"],
  dialects: {
    [name("dialect")]: {
      docs: name("docs"),
      reads: ["forgiving", "numbers-for-names"],
      unexplained: { [text("key")]: text("value") },
      names: { [name("open")]: name("other") },
    },
  },
};

const types = {
  $defs: {
    A: {
      title: text("section"),
      description: text("description"),
      type: "object",
      properties: {
        [text("property")]: { type: "string", description: text("description") },
        [name("thing")]: { type: "integer" },
        plain: { type: "string", default: text("default"), description: `Deprecated: ${forged}` },
        closed: {
          type: "string",
          enum: [text("one"), text("two")],
          enumDescriptions: [text("first"), text("second")],
        },
        open: { type: "string", _enum: [text("one")], enumDescriptions: [text("first")] },
        constant: { const: text("constant") },
        number: { type: "integer", format: text("format"), minimum: 0, maximum: 9 },
        list: {
          type: "array",
          items: { type: "integer", format: text("format"), minimum: 1, maximum: 3 },
        },
        map: {
          type: "object",
          additionalProperties: { type: "string", description: text("values") },
        },
        inner: {
          type: "object",
          properties: { [text("inner")]: { enum: [text("x"), 1, true] } },
          required: [text("inner")],
          additionalProperties: false,
        },
      },
      required: [text("property"), "closed"],
      additionalProperties: false,
    },
    B: {
      description: text("description"),
      type: "object",
      properties: { [text("a")]: { $ref: "#/$defs/A" } },
    },
    Flags: { type: "object", properties: { canAsk: { type: "boolean" } } },
    Failure: { type: "object", properties: { [name("text")]: { type: "string" } } },
  },
};

test("a package escapes all malicious text, compiles, and keeps the original values", async () => {
  await withProject(async (folder) => {
    writeFiles(folder, {
      "protocol.json": JSON.stringify(description),
      "types.json": JSON.stringify(types),
    });
    const generated = await generate(folder, { packageName: "forged" });
    const { files } = generated;
    const tags = new Map<string, number>();
    for (const [path, content] of files) {
      assertShown(content, path);
      assert.doesNotMatch(content, /^\s*::/m, path);
      if (!path.endsWith(".ts")) continue;
      const source = ts.createSourceFile(path, content, ts.ScriptTarget.ES2022, true);
      const look = (node: ts.Node): void => {
        for (const { tagName } of ts.getJSDocTags(node))
          tags.set(tagName.text, (tags.get(tagName.text) ?? 0) + 1);
        ts.forEachChild(node, look);
      };
      look(source);
    }
    assert.deepEqual([...tags.keys()].sort(), ["default", "deprecated", "param", "throws"]);
    const out = join(folder, "out");
    writeFiles(out, files);
    for (const compiler of installedCompilers)
      assert.equal(compile(compiler, "-p", out, "--noEmit"), "");
    const loaded = await loadPackage(generated);
    const { protocol, requests, notifications } = loaded as Record<string, any>;
    const { isValidA, isValidB, classify } = loaded as Record<string, (value: unknown) => unknown>;
    assert.deepEqual(Object.keys(requests), [name("open"), text("ask")]);
    assert.equal(requests[name("open")].name, name("open"));
    assert.deepEqual(Object.keys(notifications), [name("event"), text("changed")]);
    assert.deepEqual(protocol.envelope.constants, description.envelope.constants);
    assert.deepEqual(protocol.envelope.request, {
      when: description.envelope.request.when,
      name: name("method"),
      payload: name("params"),
    });
    assert.deepEqual(protocol.conversation.failures, description.conversation.failures);
    assert.deepEqual(Object.keys(protocol.dialects), [name("dialect")]);
    assert.deepEqual(protocol.dialects[name("dialect")].unexplained, {
      [text("key")]: text("value"),
    });
    const a = {
      [text("property")]: "x",
      closed: text("two"),
      constant: text("constant"),
      inner: { [text("inner")]: text("x") },
    };
    assert.equal(isValidA!(a), true);
    assert.equal(isValidA!({ ...a, closed: text("three") }), false);
    assert.equal(isValidA!({ ...a, constant: forged }), false);
    assert.equal(isValidA!({ ...a, inner: { [text("inner")]: text("y") } }), false);
    assert.equal(isValidA!({ ...a, [text("other")]: 1 }), false);
    assert.equal(isValidB!({ [text("a")]: a }), true);
    assert.equal(isValidB!({ [text("a")]: 1 }), false);
    const message = {
      ...description.envelope.constants,
      [name("kind")]: text("request"),
      [name("id")]: 1,
      [name("method")]: name("open"),
      [name("params")]: a,
    };
    assert.deepEqual(classify!(message), {
      status: "known",
      kind: "request",
      name: name("open"),
      message,
    });
    assert.equal((globalThis as { PWNED?: unknown }).PWNED, undefined);
  });
});

test("quote() makes every character visible and keeps the value of the text", () => {
  for (const character of [...unseenCharacters(), '"', "'", "\\", "`", "${x}", forged]) {
    const literal = quote(`a${character}b"c`);
    assertShown(literal, "a literal");
    assert.doesNotMatch(literal, /\n/);
    const value = new Function(`return ${literal}`) as () => string;
    assert.equal(value(), `a${character}b"c`);
  }
});
