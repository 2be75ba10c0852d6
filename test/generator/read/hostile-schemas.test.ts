import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { ts } from "ts-morph";
import { generate, InputError } from "../../../cli/index.js";
import { compile, withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { cases } from "../../support/hostile-schemas.js";

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
        // All packages share one runtime, which is compiled only once.
        ({ files } = await generate(folder, { runtime: "../../runtime" }));
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
        if (!path.endsWith(".ts") || path.startsWith("runtime/")) continue;
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
  await withFolder((folder) => {
    writeFiles(folder, accepted);
    cpSync(fromRoot("runtime"), join(folder, "runtime"), { recursive: true });
    const config = JSON.parse(accepted.get(configs[0]!)!) as object;
    writeFiles(folder, {
      "package.json": '{ "type": "module" }',
      "tsconfig.json": JSON.stringify({ ...config, include: ["case-*/*.ts", "case-*/runtime"] }),
    });
    assert.equal(compile("TypeScript 7", "-p", folder, "--noEmit"), "");
  });
});
