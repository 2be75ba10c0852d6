/** Names of foreign schemas become the names of types. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { emitPackage, InputError, readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { compile, withProject, withFolder, writeFiles } from "../../support/compile.js";
import { sourceCompilers } from "../../support/compilers.js";
import { JointCompilation } from "../../support/joint-compilation.js";
import { loadPackage } from "../../support/load-package.js";
import { notes as description } from "../../support/notes-protocol.js";
import { property } from "../../support/property.js";

/** Reads a protocol that has a request and an event for each of the definitions. */
function reading(
  definitions: Readonly<Record<string, object>>,
  more: { readonly names?: object; readonly extensible?: readonly string[] } = {},
): Promise<{ readonly protocol: Protocol; readonly warnings: readonly string[] }> {
  return withFolder(async (folder) => {
    const { names, ...others } = more;
    const all = Object.keys(definitions);
    const rows = (row: (name: string) => object): object =>
      Object.fromEntries(all.map((name, index) => [`m${index}`, row(name)]));
    writeFiles(folder, {
      "protocol.json": JSON.stringify({
        ...description,
        ...others,
        schema: { ...description.schema, ...(names === undefined ? {} : { names }) },
        messages: {
          by: "table",
          requests: rows((name) => ({ docs: "Asks.", params: name, result: `${name}?` })),
          events: rows((name) => ({ docs: "Tells.", params: name })),
        },
      }),
      "types.json": JSON.stringify({ definitions }, null, 1),
    });
    const warnings: string[] = [];
    const protocol = await readProtocol(folder, {
      onWarning: ({ message, hint }) => warnings.push(`${message}. ${hint}`),
    });
    return { protocol, warnings };
  });
}

const text = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };

const payloads = ({ messages }: Protocol): readonly string[] =>
  messages.flatMap(({ kind, payload }) =>
    kind === "event" && payload?.type.kind === "reference" ? [payload.type.name] : [],
  );

test("names that types cannot have become identifiers, everywhere they are used", async () => {
  const { protocol, warnings } = await reading(
    {
      "foo-bar": { ...text, description: "Dashes." },
      FooBar: { type: "object", properties: { p: { $ref: "#/definitions/foo-bar" } } },
      "Partial<Foo>": { type: "array", items: { $ref: "#/definitions/Partial%3CFoo%3E" } },
      "My.Ns.Thing": { anyOf: [{ $ref: "#/definitions/a~1b" }, { type: "null" }] },
      "a/b": text,
      string: { type: "string" },
      "1a": text,
    },
    { extensible: ["foo-bar"] },
  );
  assert.deepEqual(payloads(protocol), [
    "FooBar2",
    "FooBar",
    "PartialFoo",
    "MyNsThing",
    "AB",
    "String",
    "Type1a",
  ]);
  assert.deepEqual(
    protocol.definitions.filter(({ extensible }) => extensible).map(({ name }) => name),
    ["FooBar2"],
  );
  assert.deepEqual(warnings, [
    'Named "foo-bar" FooBar2, "Partial<Foo>" PartialFoo, "My.Ns.Thing" MyNsThing, "a/b" AB, "string" String, "1a" Type1a, because their own names cannot be used for types. To choose other names, list them under "names" in the description\'s schema',
  ]);
  const own = await loadPackage({ protocol, files: await emitPackage(protocol) });
  const isValid = own["isValidFooBar"] as (value: unknown) => boolean;
  assert.deepEqual(
    [{ p: { q: "" } }, { p: {} }].map((value) => isValid(value)),
    [true, false],
  );
});

test("a description can choose the names", async () => {
  const named = await reading({ "foo-bar": text, Foo: text }, { names: { "foo-bar": "Dashed" } });
  assert.deepEqual(payloads(named.protocol), ["Dashed", "Foo"]);
  const refused = async (type: string): Promise<string> => {
    try {
      await reading({ "foo-bar": text, Foo: text }, { names: { "foo-bar": type } });
      return "";
    } catch (error) {
      assert.ok(error instanceof InputError);
      return `${error.code} ${error.message}; ${error.hint}`;
    }
  };
  const hint = 'Change it under "names" in the description\'s schema';
  assert.equal(
    await refused("class"),
    `ERR_NAME Cannot use "class" as a type name: it is reserved; ${hint}`,
  );
  assert.equal(
    await refused("Foo"),
    `ERR_NAME_COLLISION Cannot name two definitions "Foo"; ${hint}`,
  );
});

test("definitions may be named like wire types, names of the package, and built-in types", () =>
  withProject(async (folder) => {
    const names =
      "Request Response Event ErrorResponse M0Request M0Response M0Event Message Validator Requests Error Map Array Record Promise Date";
    const { protocol } = await reading(
      Object.fromEntries(names.split(" ").map((name) => [name, text])),
    );
    assert.equal(protocol.messages.length, 2 * names.split(" ").length);
    const files = await emitPackage(protocol);
    const own = await loadPackage({ protocol, files });
    const isValid = own["isValidM1Event"] as (value: unknown) => boolean;
    assert.deepEqual(
      [{ q: "" }, {}].map((params) => isValid({ method: "m1", params })),
      [true, false],
    );
    writeFiles(folder, Object.fromEntries(files));
    writeFiles(folder, {
      "package.json": JSON.stringify({ type: "module" }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, module: "nodenext", target: "es2022", types: ["node"] },
      }),
    });
    assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
  }));

const foreignName = fc.oneof(
  fc.constantFrom(
    ..."foo-bar Foo_Bar FooBar fooBar Partial<Foo> Partial<Foo>[] My.Ns.Thing a/b a~b a%b 1a 2 class string Request Response Event ErrorResponse M0Request M0Event M1Response Message Map Array Record Promise Error Object Validator Requests Client constructor __proto__ toString $ _ - ? a? é 名前 \u200b 🐲 Type1a Foo<Map>".split(
      " ",
    ),
  ),
  fc.stringMatching(
    /^[a-zA-Z0-9<>[\]{}./~%$_?#-]([a-zA-Z0-9<>[\]{}./~%$_?# -]{0,4}[a-zA-Z0-9>?])?$/,
  ),
);

const compilation = new JointCompilation(sourceCompilers.filter(({ version }) => version === "7"));
let emitted = 0;

property(
  "definitions with any names are types of the package, or refused with the key that renames them",
  fc.record({
    names: fc.uniqueArray(foreignName, { minLength: 1, maxLength: 6 }),
    chosen: fc.option(fc.constantFrom("Foo", "FooBar", "Request", "class", "M0Params", "M1Event")),
  }),
  async ({ names, chosen }) => {
    const definitions = Object.fromEntries(
      names.map((name) => [name, { ...text, required: name === names[0] ? ["q"] : [] }]),
    );
    let protocol: Protocol;
    let files: ReadonlyMap<string, string>;
    try {
      ({ protocol } = await reading(
        definitions,
        chosen === null ? {} : { names: { [names[0]!]: chosen } },
      ));
      files = await emitPackage(protocol);
    } catch (error) {
      assert.ok(error instanceof InputError, String(error));
      assert.match(error.hint ?? "", /"names"/, error.message);
      return;
    }
    const types = payloads(protocol);
    assert.deepEqual([types.length, new Set(types).size], [names.length, names.length]);
    const { validate } = (await loadPackage({ protocol, files })) as {
      readonly validate: (message: unknown) => { readonly ok: boolean };
    };
    for (const [index, name] of Object.keys(definitions).entries()) {
      const verdict = (params: object): boolean => validate({ method: `m${index}`, params }).ok;
      assert.deepEqual([verdict({ q: "" }), verdict({})], [true, name !== names[0]], name);
    }
    if (emitted++ % 8 === 0) await compilation.add(JSON.stringify(names), files);
  },
  60,
);

test("packages with such names compile", async (t) => {
  await compilation.end();
  t.diagnostic(`${compilation.packages} packages`);
});
