import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { compileProject, withProject, writeFiles } from "../../support/compile.js";
import { shownFiles } from "../../support/guide-programs.js";
import { readPage } from "../../support/markdown-page.js";
import { runCommand } from "../../support/run-command.js";

const guide = "docs/guides/own-protocol.md";

/** Returns the guide's files in a folder, by path. */
const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(shownFiles(guide)).filter(([path]) => path.startsWith(folder)));

test("the guide's overlay adds its message to DAP", async () => {
  const { blocks } = readPage(guide);
  await withProject((folder) => {
    writeFiles(folder, { "my-messages.json": blocks[0]!.text });
    const args = ["generate", "dap", "--overlay", "my-messages.json", "--out", "dap"];
    const { status, stderr } = runCommand(folder, args);
    assert.deepEqual([status, stderr], [0, ""]);
    const types = readFileSync(join(folder, "dap/types.ts"), "utf8");
    assert.match(
      types,
      /^export interface HeatEvent extends EventMessage \{\n  event: "vendor\/heat";$/m,
    );
    assert.match(types, /^export interface HeatEventBody \{\n  celsius\?: number;\n\}$/m);
  });
});

test("a program uses the overlay's event and request, generated through a project file", async () => {
  const { blocks } = readPage(guide);
  await withProject((folder) => {
    for (const [path, text] of Object.entries(filesIn("heat/")))
      writeFiles(folder, { [path.slice("heat/".length)]: text });
    writeFiles(folder, {
      "my-messages.json": blocks[0]!.text,
    });
    const { status, stderr } = runCommand(folder, ["generate"]);
    assert.deepEqual([status, stderr], [0, ""]);
    assert.equal(compileProject(folder, ["cooler.ts"], { noEmit: true, skipLibCheck: true }), "");
  });
});

const options = { skipLibCheck: true, outDir: "build" };

test("a user's protocol works as shown in the guide", async () => {
  const files = filesIn("notes/");
  assert.deepEqual(Object.keys(files), [
    "notes/types.json",
    "notes/protocol.json",
    "notes/keeper.ts",
  ]);
  await withProject(async (folder) => {
    writeFiles(folder, files);
    const made = runCommand(folder, ["generate", "notes", "--out", "notes/generated"]);
    assert.deepEqual([made.status, made.stderr], [0, ""]);
    assert.equal(compileProject(folder, ["notes/*.ts", "notes/generated"], options), "");
    const keeper = (await import(pathToFileURL(join(folder, "build/notes/keeper.js")).href)) as {
      answer(bytes: Uint8Array): readonly Uint8Array[];
    };
    const lines = [
      { id: 1, method: "note/open", params: { path: "a", mode: "read" } },
      { id: "two", method: "note/open", params: { path: 5 } },
      { id: 3, method: "note/burn" },
    ];
    const sent = lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join("");
    const answers = keeper.answer(Buffer.from(sent)).map((bytes) => Buffer.from(bytes).toString());
    assert.deepEqual(answers, [
      'Content-Length: 45\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{"lines":3}}',
      'Content-Length: 80\r\n\r\n{"jsonrpc":"2.0","id":"two","error":{"code":-32601,"message":"unknown request"}}',
    ]);
    const changed = files["notes/types.json"]!.replace(
      '"lines": { "type": "integer"',
      '"lines": { "type": "string"',
    );
    assert.notEqual(changed, files["notes/types.json"]);
    writeFiles(folder, { "new.json": changed.replace(', "format": "uint32"', "") });
    const diff = runCommand(folder, [
      "diff",
      "notes/types.json",
      "new.json",
      "--protocol",
      "notes",
    ]);
    assert.equal(diff.status, 1);
    assert.match(diff.stdout, /OpenResult\.lines: uint32 0\.\.2\^32-1 → string +type\.changed/);
  });
});

test("with the guide's conversation, both sides send their requests and refuse unknown ones", async () => {
  const { blocks } = readPage(guide);
  const conversation = blocks.find(({ text }) => text.includes('"conversation"'))!.text;
  await withProject(async (folder) => {
    const files = filesIn("notes/");
    const described = {
      ...(JSON.parse(files["notes/protocol.json"]!) as object),
      ...(JSON.parse(conversation) as object),
    };
    writeFiles(folder, {
      "notes/types.json": files["notes/types.json"]!,
      "notes/protocol.json": JSON.stringify(described),
      "talk.ts": `import { connect, inlineTransports } from "./notes/generated/connection.js";
const [editorEnd, keeperEnd] = inlineTransports();
const editor = connect("editor", editorEnd);
const keeper = connect("keeper", keeperEnd);
editor.handle("note/confirm", ({ question }) => question === "overwrite?");
keeper.handle("note/open", () => ({ lines: 3 }));
export const opened = await editor.request("note/open", { path: "a" });
export const confirmed = await keeper.request("note/confirm", { question: "overwrite?" });
export const refused = await editor.requestCustom("note/burn", {}).catch((error: Error) => error.message);
await editor.close();
`,
    });
    assert.equal(runCommand(folder, ["generate", "notes", "--out", "notes/generated"]).status, 0);
    assert.equal(compileProject(folder, ["talk.ts", "notes/generated"], options), "");
    assert.deepEqual(
      { ...(await import(pathToFileURL(join(folder, "build/talk.js")).href)) },
      {
        opened: { lines: 3 },
        confirmed: true,
        refused: "unknown request note/burn",
      },
    );
  });
});
