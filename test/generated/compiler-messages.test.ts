import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { createApp, type App } from "../../tools/platforms/check-types.js";
import { compilers, isInstalled } from "../support/compilers.js";
import { packPackage } from "../../tools/release/pack-package.js";
import { fromRoot } from "../support/paths.js";
import { skipWithoutPeer } from "../support/peers.js";
import {
  compileMistakes,
  readPrograms,
  writeHovers,
  writeMessages,
} from "../support/compiler-messages.js";

const path = fromRoot("test/cases/compiler-messages.md");
const page = readFileSync(path, "utf8");
const programs = readPrograms(page);
const [, globals = ""] = /```ts globals\n([^]*?)```/.exec(page)!;
const chosen = ["7", "5.9", "5.4"].map((version) =>
  compilers.find((each) => each.version === version)!,
);

let app: App;
/** The expected page, filled with the hover texts from an editor. */
let hovered: string | undefined;
const printed = new Map(programs.map(({ title }) => [title, new Map<string, string>()]));

before(async () => {
  app = createApp([(await packPackage("dap", fromRoot("build/messages/dap"))).tarball]);
  writeFileSync(`${app.folder}/package.json`, '{ "private": true, "type": "module" }');
});

after(() => {
  rmSync(app.folder, { recursive: true, force: true });
  if (process.env["UPDATE_GOLDEN"] === "1" && chosen.every(isInstalled))
    writeFileSync(path, writeMessages(hovered ?? page, printed));
});

for (const compiler of chosen) {
  const name = `TypeScript ${compiler.version}`;
  test(
    `${name} prints the messages shown on the page for common mistakes`,
    { skip: isInstalled(compiler) ? false : skipWithoutPeer(`typescript-${compiler.version}`) },
    () => {
      const messages = compileMistakes(compiler, app.folder, globals, programs);
      for (const [title, text] of messages) printed.get(title)!.set(name, text);
      if (process.env["UPDATE_GOLDEN"] === "1") return;
      for (const { title, messages: expected } of programs)
        assert.equal(messages.get(title), expected.get(name), title);
    },
  );
}

test("an editor shows the hover texts given on the page for the main calls", () => {
  hovered = writeHovers(page, app.folder, globals);
  if (process.env["UPDATE_GOLDEN"] !== "1") assert.equal(hovered, page);
});
