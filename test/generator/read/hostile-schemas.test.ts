import assert from "node:assert/strict";
import { Socket } from "node:net";
import { after, test } from "node:test";
import { ts } from "ts-morph";
import { generate, InputError } from "../../../cli/index.js";
import { readInput, testCases } from "../../support/case-list.js";
import { compile, withFolder, withProject, writeFiles } from "../../support/compile.js";
import { notes } from "../../support/notes-protocol.js";

const pwn = "globalThis.PWNED = true";
const object = (properties: string): string =>
  `{ "type": "object", "properties": { ${properties} } }`;
const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(", ");

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

/** Files of the packages generated from schemas that were accepted. */
const accepted = new Map<string, string>();
let acceptedCount = 0;

testCases("test/cases/hostile-schemas.md", "generate() survives or refuses", async (input) => {
  const [definitions] = readInput(input, { pwn, object, repeat });
  const found = await withFolder(async (folder) => {
    writeFiles(folder, {
      "protocol.json": description,
      "types.json": `{ "$defs": { ${String(definitions)} } }`,
    });
    let files: ReadonlyMap<string, string>;
    try {
      ({ files } = await generate(folder, { packageName: "hostile" }));
    } catch (error) {
      assert.ok(error instanceof InputError, String((error as Error).stack));
      const { code, place } = error;
      if (code !== "ERR_NAME_COLLISION")
        assert.ok(
          place.line !== undefined && place.file?.endsWith("types.json"),
          "the error has no place",
        );
      return [code];
    }
    for (const [path, text] of files) {
      accepted.set(`case-${acceptedCount}/${path}`, text);
      if (!path.endsWith(".ts")) continue;
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
      for (const statement of source.statements) {
        assert.ok(
          declarations.has(statement.kind),
          `${path} has a statement of its own: ${statement.getText(source).slice(0, 100)}`,
        );
      }
    }
    acceptedCount++;
    return [];
  });
  assert.equal(connections, 0, "a connection was opened");
  assert.equal((globalThis as { PWNED?: unknown }).PWNED, undefined);
  return found;
});

test("accepted schemas compile", async () => {
  const configs = [...accepted.keys()].filter((path) => path.endsWith("/tsconfig.json"));
  assert.ok(configs.length === acceptedCount && acceptedCount > 40);
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
