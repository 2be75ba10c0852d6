import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, test } from "node:test";
import { ts } from "ts-morph";
import { generate, InputError } from "../../../cli/index.js";
import { compile, withFolder, withProject, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";

const pwn = "globalThis.PWNED = true";
const object = (properties: string): string =>
  `{ "type": "object", "properties": { ${properties} } }`;
const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(", ");

/**
 * JSON text of definitions, which, unlike an object literal, can contain any key, and the error code
 * with which the schema is refused. Without a code, the schema must be accepted.
 */
type Case = readonly [name: string, definitions: string, code?: string];

const cases: readonly Case[] = [
  [
    "a property that requires itself through a base",
    `"A": ${object(`"a": { "allOf": [{ "$ref": "#/$defs/A" }, { "required": ["a"] }] }`)}`,
    "ERR_REF_CYCLE",
  ],
  [
    "properties that repeatedly require each other through a base",
    `"A": ${object(
      repeat(
        30,
        (index) =>
          `"p${index}": { "allOf": [{ "$ref": "#/$defs/A" }, { "required": [${repeat(29 - index, (more) => `"p${index + 1 + more}"`)}] }] }`,
      ),
    )}`,
    "ERR_TOO_LARGE",
  ],
  ["*/ in a description", `"A": { "type": "object", "description": "*/ ${pwn}; /*" }`],
  [
    "*/ in a property's description",
    `"A": ${object(`"a": { "type": "string", "description": "*/ ${pwn}; /*" }`)}`,
  ],
  ["*/ split over lines", `"A": { "type": "object", "description": "*\\n/ ${pwn}" }`],
  ["*/ in a default", `"A": ${object(`"a": { "type": "string", "default": "*/ ${pwn}; /*" }`)}`],
  ["*/ in a deprecation", `"A": { "type": "object", "description": "Deprecated: */ ${pwn}; /*" }`],
  [
    "*/ in an enum value's text",
    `"A": { "type": "string", "enum": ["a", "b"], "enumDescriptions": ["*/ ${pwn}; /*", ""] }`,
  ],
  [
    "*/ in an enum value",
    `"A": { "enum": ["*/ ${pwn}; /*", "b"], "enumDescriptions": ["x", "y"] }`,
  ],
  [
    "a line break in a section title",
    `"A": { "type": "object", "title": "A\\n${pwn}\\u2028${pwn}" }`,
  ],
  [
    "backticks and substitutions",
    `"A": { "enum": ["\`\${${pwn}}\`", "b"], "description": "\`\${${pwn}}\`" }`,
  ],
  [
    "U+2028 and U+2029 in a description",
    `"A": { "type": "object", "description": "\\u2028${pwn}\\u2029" }`,
  ],
  ["U+2028 in a property name", `"A": ${object(`"a\\u2028${pwn}": {}`)}`],
  ["U+2028 in an enum value", `"A": { "enum": ["\\u2028${pwn}\\u2029", "b"] }`],
  [
    "control characters in a description",
    `"A": { "type": "object", "description": "\\u0000\\u0007\\u001b[31m\\r\\n${pwn}" }`,
  ],
  [
    "property names with quotes and newlines",
    `"A": ${object(`"\\"": {}, "'": {}, "\\n": {}, "\\\\": {}, "x]: any; ${pwn}; //": {}`)}`,
  ],
  ["an empty property name", `"A": ${object('"": {}')}`],
  [
    "property names that have a meaning in JavaScript",
    `"A": ${object('"__proto__": { "type": "string" }, "constructor": {}, "hasOwnProperty": {}, "toString": {}')}`,
  ],
  [
    "property names that are reserved words",
    `"A": ${object('"class": {}, "default": {}, "new": {}, "function": {}, "readonly": {}, "get": {}')}`,
  ],
  ["lone surrogates", `"A": { "enum": ["\\ud800", "b"], "description": "\\udc00" }`],
  ["a definition named like a reserved word", '"class": { "type": "object" }'],
  ["a definition named like a built-in type", '"string": { "type": "object" }'],
  [
    "globals as definitions",
    '"String": { "type": "object" }, "Object": { "type": "object" }, "Array": { "type": "array", "items": { "$ref": "#/$defs/Object" } }, "Promise": { "type": "string" }, "Record": { "type": "string" }',
  ],
  ["code in a definition name", `"A { } ${pwn}; interface B": { "type": "object" }`],
  [
    "definitions whose names have a meaning in JavaScript",
    '"__proto__": { "type": "object" }, "constructor": { "type": "string" }, "toString": { "type": "object" }',
  ],
  ["names that would be identical after sanitising", '"foo-bar": {}, "foo_bar": {}'],
  [
    "names that differ only in case",
    '"foobar": { "type": "string" }, "FooBar": { "type": "string" }, "FOOBAR": { "type": "string" }',
  ],
  [
    "a definition named like a guard",
    '"isPingRequest": { "type": "string" }',
    "ERR_NAME_COLLISION",
  ],
  ["a definition named like a table", '"requests": { "type": "string" }'],
  ["a definition named like a union", '"KnownRequest": { "type": "string" }'],
  ["a definition named like a runtime type", '"Extensible": { "type": "string" }'],
  ["another tool's keyword that contains code", `"A": { "tsType": "${pwn}" }`],
  [
    "a pattern that takes exponential time, which only a schema's author can write",
    '"A": { "type": "string", "pattern": "^(a+)+$" }',
  ],
  [
    "code in patterns",
    `"A": { "type": "string", "pattern": "(\\"); ${pwn}; (\\"/*\\\\n/*/)\\u2028" }, "B": { "type": "object", "patternProperties": { "(\\"); ${pwn}; //*/": { "type": "string" }, "\`": false } }`,
  ],
  [
    "code injected into names, and into fixed values used in conditions",
    `"A": { "type": "object", "const": { "__proto__": { "\\"); ${pwn}; //": ["*/", null] } }, "dependentRequired": { "'\\"\\n${pwn}": ["__proto__", "\\u2029"] } }, "B": { "not": { "enum": ["${pwn}", { "__proto__": 1 }] } }`,
  ],
  [
    "properties that have a meaning in JavaScript next to other typed properties",
    `"A": { "type": "object", "properties": { "__proto__": { "type": "string" }, "toString": { "type": "integer" }, "then": {} }, "additionalProperties": { "type": "boolean" }, "unevaluatedProperties": false }`,
  ],
  [
    "many alternatives nested in alternatives",
    `"A": { "allOf": [${repeat(12, (index) => `{ "anyOf": [{ "required": ["a${index}"] }, { "required": ["b${index}"] }] }`)}] }`,
  ],
  [
    "conditions that refer back to themselves",
    '"A": { "not": { "$ref": "#/$defs/A" } }',
    "ERR_REF_CYCLE",
  ],
  ["a reference to a file: URL", '"A": { "$ref": "file:///etc/passwd" }', "ERR_REF_OUTSIDE"],
  ["a reference to a relative file", '"A": { "$ref": "../../secret.json#/a" }', "ERR_REF_OUTSIDE"],
  ["a reference to an absolute path", '"A": { "$ref": "/etc/passwd" }', "ERR_REF_OUTSIDE"],
  ["a reference to a URL", '"A": { "$ref": "http://127.0.0.1:9/a.json" }', "ERR_REF_OUTSIDE"],
  [
    "two definitions that consist only of each other",
    '"A": { "$ref": "#/$defs/B" }, "B": { "$ref": "#/$defs/A" }',
    "ERR_REF_CYCLE",
  ],
  ["an allOf that contains itself", '"A": { "allOf": [{ "$ref": "#/$defs/A" }] }', "ERR_REF_CYCLE"],
  [
    "recursion through lists and objects",
    `"A": ${object('"a": { "type": "array", "items": { "$ref": "#/$defs/A" } }, "b": { "$ref": "#/$defs/A" }')}`,
  ],
  [
    "500 levels",
    `"A": ${'{ "type": "array", "items": '.repeat(500)}{}${"}".repeat(500)}`,
    "ERR_TOO_DEEP",
  ],
  ["200 levels", `"A": ${'{ "type": "array", "items": '.repeat(200)}{}${"}".repeat(200)}`],
  [
    "10,000 levels",
    `"A": ${'{ "type": "array", "items": '.repeat(10_000)}{}${"}".repeat(10_000)}`,
    "ERR_TOO_DEEP",
  ],
  [
    "an enum with 100,000 values",
    `"A": { "enum": [${repeat(100_000, (index) => `"v${index}"`)}] }`,
  ],
  [
    "a chain of 5,000 references",
    repeat(
      5_000,
      (index) =>
        `"A${index}": ${index === 4_999 ? '{ "type": "string" }' : `{ "$ref": "#/$defs/A${index + 1}" }`}`,
    ),
  ],
  [
    "5,000 properties",
    `"A": ${object(repeat(5_000, (index) => `"p${index}": { "type": "string" }`))}`,
  ],
  ["a description that is not text", '"A": { "description": ["x"] }', "ERR_SCHEMA"],
  [
    "a redefinition that does not narrow the type",
    `"A": ${object('"a": { "type": "string" }, "b": {}')}, "B": { "allOf": [{ "$ref": "#/$defs/A" }, ${object('"a": { "type": "number" }')}] }`,
  ],
  [
    "two bases that disagree",
    `"A": ${object('"a": { "type": "string" }')}, "B": ${object('"a": { "type": "number" }')}, "C": { "allOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/B" }, { "type": "object" }] }`,
  ],
];

const description = JSON.stringify({
  ...notes,
  messages: { by: "table", requests: { ping: { docs: "Pings." } }, events: {} },
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

for (const [index, [name, definitions, code]] of cases.entries()) {
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
  const count = cases.filter(([, , code]) => code === undefined).length;
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
