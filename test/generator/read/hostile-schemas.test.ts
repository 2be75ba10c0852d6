import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, test } from "node:test";
import { ts } from "ts-morph";
import { generate, InputError } from "../../../cli/index.js";
import { compile, withFolder, withProject, writeFiles } from "../../support/compile.js";

const pwn = "globalThis.PWNED = true";
const object = (properties: string): string =>
  `{ "type": "object", "properties": { ${properties} } }`;
const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(", ");

interface Case {
  readonly name: string;
  /** JSON text of the definitions. Unlike an object literal, text can contain any key. */
  readonly definitions: string;
  /** The error code with which the schema is refused. Absent if the schema must be accepted. */
  readonly code?: string;
}

const cases: readonly Case[] = [
  {
    name: "a property that requires itself through a base",
    definitions: `"A": ${object(`"a": { "allOf": [{ "$ref": "#/$defs/A" }, { "required": ["a"] }] }`)}`,
    code: "ERR_REF_CYCLE",
  },
  {
    name: "properties that repeatedly require each other through a base",
    definitions: `"A": ${object(
      repeat(
        30,
        (index) =>
          `"p${index}": { "allOf": [{ "$ref": "#/$defs/A" }, { "required": [${repeat(29 - index, (more) => `"p${index + 1 + more}"`)}] }] }`,
      ),
    )}`,
    code: "ERR_TOO_LARGE",
  },
  {
    name: "*/ in a description",
    definitions: `"A": { "type": "object", "description": "*/ ${pwn}; /*" }`,
  },
  {
    name: "*/ in a property's description",
    definitions: `"A": ${object(`"a": { "type": "string", "description": "*/ ${pwn}; /*" }`)}`,
  },
  {
    name: "*/ split over lines",
    definitions: `"A": { "type": "object", "description": "*\\n/ ${pwn}" }`,
  },
  {
    name: "*/ in a default",
    definitions: `"A": ${object(`"a": { "type": "string", "default": "*/ ${pwn}; /*" }`)}`,
  },
  {
    name: "*/ in a deprecation",
    definitions: `"A": { "type": "object", "description": "Deprecated: */ ${pwn}; /*" }`,
  },
  {
    name: "*/ in an enum value's text",
    definitions: `"A": { "type": "string", "enum": ["a", "b"], "enumDescriptions": ["*/ ${pwn}; /*", ""] }`,
  },
  {
    name: "*/ in an enum value",
    definitions: `"A": { "enum": ["*/ ${pwn}; /*", "b"], "enumDescriptions": ["x", "y"] }`,
  },
  {
    name: "a line break in a section title",
    definitions: `"A": { "type": "object", "title": "A\\n${pwn}\\u2028${pwn}" }`,
  },
  {
    name: "backticks and substitutions",
    definitions: `"A": { "enum": ["\`\${${pwn}}\`", "b"], "description": "\`\${${pwn}}\`" }`,
  },
  {
    name: "U+2028 and U+2029 in a description",
    definitions: `"A": { "type": "object", "description": "\\u2028${pwn}\\u2029" }`,
  },
  { name: "U+2028 in a property name", definitions: `"A": ${object(`"a\\u2028${pwn}": {}`)}` },
  {
    name: "U+2028 in an enum value",
    definitions: `"A": { "enum": ["\\u2028${pwn}\\u2029", "b"] }`,
  },
  {
    name: "control characters in a description",
    definitions: `"A": { "type": "object", "description": "\\u0000\\u0007\\u001b[31m\\r\\n${pwn}" }`,
  },
  {
    name: "property names with quotes and newlines",
    definitions: `"A": ${object(`"\\"": {}, "'": {}, "\\n": {}, "\\\\": {}, "x]: any; ${pwn}; //": {}`)}`,
  },
  { name: "an empty property name", definitions: `"A": ${object('"": {}')}` },
  {
    name: "property names that have a meaning in JavaScript",
    definitions: `"A": ${object('"__proto__": { "type": "string" }, "constructor": {}, "hasOwnProperty": {}, "toString": {}')}`,
  },
  {
    name: "property names that are reserved words",
    definitions: `"A": ${object('"class": {}, "default": {}, "new": {}, "function": {}, "readonly": {}, "get": {}')}`,
  },
  {
    name: "lone surrogates",
    definitions: `"A": { "enum": ["\\ud800", "b"], "description": "\\udc00" }`,
  },
  {
    name: "a definition named like a reserved word",
    definitions: '"class": { "type": "object" }',
  },
  {
    name: "a definition named like a built-in type",
    definitions: '"string": { "type": "object" }',
  },
  {
    name: "globals as definitions",
    definitions:
      '"String": { "type": "object" }, "Object": { "type": "object" }, "Array": { "type": "array", "items": { "$ref": "#/$defs/Object" } }, "Promise": { "type": "string" }, "Record": { "type": "string" }',
  },
  {
    name: "code in a definition name",
    definitions: `"A { } ${pwn}; interface B": { "type": "object" }`,
  },
  {
    name: "definitions whose names have a meaning in JavaScript",
    definitions:
      '"__proto__": { "type": "object" }, "constructor": { "type": "string" }, "toString": { "type": "object" }',
  },
  {
    name: "names that would be identical after sanitising",
    definitions: '"foo-bar": {}, "foo_bar": {}',
  },
  {
    name: "names that differ only in case",
    definitions:
      '"foobar": { "type": "string" }, "FooBar": { "type": "string" }, "FOOBAR": { "type": "string" }',
  },
  {
    name: "a definition named like a guard",
    definitions: '"isPingRequest": { "type": "string" }',
    code: "ERR_NAME_COLLISION",
  },
  {
    name: "a definition named like a table",
    definitions: '"requests": { "type": "string" }',
  },
  {
    name: "a definition named like a union",
    definitions: '"KnownRequest": { "type": "string" }',
  },
  {
    name: "a definition named like a runtime type",
    definitions: '"Extensible": { "type": "string" }',
  },
  {
    name: "another tool's keyword that contains code",
    definitions: `"A": { "tsType": "${pwn}" }`,
  },
  {
    name: "a pattern that takes exponential time, which only a schema's author can write",
    definitions: '"A": { "type": "string", "pattern": "^(a+)+$" }',
  },
  {
    name: "code in patterns",
    definitions: `"A": { "type": "string", "pattern": "(\\"); ${pwn}; (\\"/*\\\\n/*/)\\u2028" }, "B": { "type": "object", "patternProperties": { "(\\"); ${pwn}; //*/": { "type": "string" }, "\`": false } }`,
  },
  {
    name: "code injected into names, and into fixed values used in conditions",
    definitions: `"A": { "type": "object", "const": { "__proto__": { "\\"); ${pwn}; //": ["*/", null] } }, "dependentRequired": { "'\\"\\n${pwn}": ["__proto__", "\\u2029"] } }, "B": { "not": { "enum": ["${pwn}", { "__proto__": 1 }] } }`,
  },
  {
    name: "properties that have a meaning in JavaScript next to other typed properties",
    definitions: `"A": { "type": "object", "properties": { "__proto__": { "type": "string" }, "toString": { "type": "integer" }, "then": {} }, "additionalProperties": { "type": "boolean" }, "unevaluatedProperties": false }`,
  },
  {
    name: "many alternatives nested in alternatives",
    definitions: `"A": { "allOf": [${repeat(12, (index) => `{ "anyOf": [{ "required": ["a${index}"] }, { "required": ["b${index}"] }] }`)}] }`,
  },
  {
    name: "conditions that refer back to themselves",
    definitions: '"A": { "not": { "$ref": "#/$defs/A" } }',
    code: "ERR_REF_CYCLE",
  },
  {
    name: "a reference to a file: URL",
    definitions: '"A": { "$ref": "file:///etc/passwd" }',
    code: "ERR_REF_OUTSIDE",
  },
  {
    name: "a reference to a relative file",
    definitions: '"A": { "$ref": "../../secret.json#/a" }',
    code: "ERR_REF_OUTSIDE",
  },
  {
    name: "a reference to an absolute path",
    definitions: '"A": { "$ref": "/etc/passwd" }',
    code: "ERR_REF_OUTSIDE",
  },
  {
    name: "a reference to a URL",
    definitions: '"A": { "$ref": "http://127.0.0.1:9/a.json" }',
    code: "ERR_REF_OUTSIDE",
  },
  {
    name: "two definitions that consist only of each other",
    definitions: '"A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" }',
    code: "ERR_REF_CYCLE",
  },
  {
    name: "an allOf that contains itself",
    definitions: '"A": { "allOf": [{ "$ref": "#/$defs/A" }] }',
    code: "ERR_REF_CYCLE",
  },
  {
    name: "recursion through lists and objects",
    definitions: `"A": ${object('"a": { "type": "array", "items": { "$ref": "#/$defs/A" } }, "b": { "$ref": "#/$defs/A" }')}`,
  },
  {
    name: "500 levels",
    definitions: `"A": ${'{ "type": "array", "items": '.repeat(500)}{}${"}".repeat(500)}`,
    code: "ERR_TOO_DEEP",
  },
  {
    name: "200 levels",
    definitions: `"A": ${'{ "type": "array", "items": '.repeat(200)}{}${"}".repeat(200)}`,
  },
  {
    name: "10,000 levels",
    definitions: `"A": ${'{ "type": "array", "items": '.repeat(10_000)}{}${"}".repeat(10_000)}`,
    code: "ERR_TOO_DEEP",
  },
  {
    name: "an enum with 100,000 values",
    definitions: `"A": { "enum": [${repeat(100_000, (index) => `"v${index}"`)}] }`,
  },
  {
    name: "a chain of 5,000 references",
    definitions: repeat(
      5_000,
      (index) =>
        `"A${index}": ${index === 4_999 ? '{ "type": "string" }' : `{ "$ref": "#/$defs/A${index + 1}" }`}`,
    ),
  },
  {
    name: "5,000 properties",
    definitions: `"A": ${object(repeat(5_000, (index) => `"p${index}": { "type": "string" }`))}`,
  },
  {
    name: "a description that is not text",
    definitions: '"A": { "description": ["x"] }',
    code: "ERR_SCHEMA",
  },
  {
    name: "a redefinition that does not narrow the type",
    definitions: `"A": ${object('"a": { "type": "string" }, "b": {}')}, "B": { "allOf": [{ "$ref": "#/$defs/A" }, ${object('"a": { "type": "number" }')}] }`,
  },
  {
    name: "two bases that disagree",
    definitions: `"A": ${object('"a": { "type": "string" }')}, "B": ${object('"a": { "type": "number" }')}, "C": { "allOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }, { "type": "object" }] }`,
  },
];

const description = JSON.stringify({
  name: "hostile",
  title: "Hostile",
  package: "hostile",
  roles: ["client", "server"],
  schema: { format: "json-schema", current: "1.0.0", versions: { "1.0.0": "types.json" } },
  messages: { by: "table", requests: { ping: { docs: "Pings." } }, events: {} },
  directions: { requests: "client", events: "server" },
  envelope: {
    id: "id",
    replyTo: "id",
    request: { when: { method: true, id: true }, name: "method", payload: "params" },
    event: { when: { method: true, id: false }, name: "method", payload: "params" },
    response: { when: { method: false }, result: "result", error: "error" },
  },
  framing: { client: "lines", server: "lines" },
});

const declarations = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.VariableStatement,
  ts.SyntaxKind.EnumDeclaration,
]);

let connections = 0;
const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...args: never[]) {
  connections++;
  return (connect as (...args: never[]) => Socket).apply(this, args);
} as typeof connect;
after(() => {
  Socket.prototype.connect = connect;
});

assert.ok(cases.length >= 40);
/** Files of the packages generated from schemas that were accepted. */
const accepted = new Map<string, string>();

for (const [index, { name, definitions, code }] of cases.entries()) {
  test(`generate() ${code === undefined ? "survives" : "refuses"} ${name}`, async () => {
    await withFolder(async (folder) => {
      writeFiles(folder, {
        "protocol.json": description,
        "types.json": `{ "$defs": { ${definitions} } }`,
      });
      let files: ReadonlyMap<string, string>;
      try {
        ({ files } = await generate(folder, { packageName: "hostile" }));
      } catch (error) {
        assert.ok(error instanceof InputError, String((error as Error).stack));
        assert.equal(error.code, code, error.message);
        if (code !== "ERR_NAME_COLLISION")
          assert.ok(
            error.place.line !== undefined && error.place.file?.endsWith("types.json"),
            "the error has no place",
          );
        return;
      }
      assert.equal(code, undefined, "the schema was accepted");
      for (const [path, text] of files) {
        accepted.set(`case-${index}/${path}`, text);
        if (!path.endsWith(".ts")) continue;
        const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
        for (const statement of source.statements) {
          assert.ok(
            declarations.has(statement.kind),
            `${path} has a statement of its own: ${statement.getText(source).slice(0, 100)}`,
          );
        }
      }
    });
    assert.equal(connections, 0, "a connection was opened");
    assert.equal((globalThis as { PWNED?: unknown }).PWNED, undefined);
  });
}

test("accepted schemas compile", async () => {
  const count = cases.filter(({ code }) => code === undefined).length;
  const configs = [...accepted.keys()].filter((path) => path.endsWith("/tsconfig.json"));
  assert.equal(configs.length, count);
  await withProject((folder) => {
    writeFiles(folder, accepted);
    const config = JSON.parse(accepted.get(configs[0]!)!) as object;
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({ ...config, include: ["case-*/*.ts"] }),
    });
    assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
  });
});
