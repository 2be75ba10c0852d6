import assert from "node:assert/strict";
import { test } from "node:test";
import { compilePrograms, withFolder } from "../../support/compile.js";
import { readPage, commands, pages } from "../../support/markdown-page.js";
import { fromRoot, root } from "../../support/paths.js";
import { entryPoints } from "../../support/workspaces.js";
import { runCommand } from "../../support/run-command.js";

test("README has at most 150 lines and begins with a short example", () => {
  const { text, blocks } = readPage("README.md");
  const lines = text.trimEnd().split("\n");
  assert.ok(lines.length <= 150, `${lines.length} lines`);
  const example = blocks.find(({ language }) => language === "ts")!;
  assert.ok(example.text.trim().split("\n").length <= 30);
});

test("README links to the build, the tests, the contributors' guide and the license", () => {
  const { text, blocks } = readPage("README.md");
  const [clone] = blocks.filter(({ language }) => language === "sh");
  assert.match(clone!.text, /^npm ci && npm run build .*\nnpm test .*\n[^]*^npx wirewright /m);
  assert.match(text, /\[CONTRIBUTING\]\(\S+\/CONTRIBUTING\.md\)[^]*\[MIT\]\(LICENSE\)/);
});

test("the migration guide shows one handler for launch and attach, and how a CommonJS program ends", () => {
  const { text } = readPage("docs/guides/from-debugadapter.md");
  assert.match(text, /^## One handler for launch and attach\n[^#]*launch: start, attach: start/m);
  assert.match(text, /`void runAdapter\(adapter\);`/);
  assert.match(text, /^\| `XResponse\["body"\]` +\| `XResponseBody`/m);
});

/**
 * Returns the examples in a given language, each with a file name, with their imports pointing to
 * this repository's build.
 */
function examplesIn(language: "ts" | "js"): readonly (readonly [name: string, text: string])[] {
  return pages.flatMap(({ path, blocks }) =>
    blocks
      // Skip blocks that show a file, because other tests compile and run those files.
      .filter((block) => block.language === language && block.file === undefined)
      .map(
        ({ text }, index) => [`${path.replaceAll("/", "-")}-${index}.ts`, resolved(text)] as const,
      ),
  );
}

function resolved(example: string): string {
  // Declarations of the values that the examples use without declaring them.
  const given =
    "declare const received: unknown;\ndeclare function use(...all: unknown[]): void;\n";
  return (
    given +
    example
      .replaceAll('"@wirewright/conformance"', `"${fromRoot("build/conformance/index.js")}"`)
      .replaceAll(
        /"@wirewright\/([a-z-]+)(?:\/([a-z-]+))?"/g,
        (_, protocol: string, entry = "index") =>
          JSON.stringify(fromRoot(`${entryPoints(protocol).get(entry)!}.js`)),
      )
      .replaceAll('from "wirewright"', `from "${fromRoot("build/cli/index.js")}"`)
  );
}

test("the examples on every page compile against the packages", async () => {
  const examples = examplesIn("ts");
  const shown = new Set(examples.map(([name]) => name.replace(/\.md-\d+\.ts$/, "")));
  const guides = [
    "adapter",
    "agent-breakpoints",
    "client",
    "dialects",
    "from-debugadapter",
    "proxy",
    "testing",
    "troubleshooting",
  ].map((name) => `docs-guides-${name}`);
  assert.deepEqual([...shown], [...guides, "docs-reference-tolerances-and-issues"]);
  await withFolder((folder) => assert.equal(compilePrograms(folder, examples), ""));
});

test("the JavaScript examples use names that the packages export", async () => {
  const examples = examplesIn("js");
  assert.ok(examples.length > 0);
  await withFolder((folder) => assert.equal(compilePrograms(folder, examples, false), ""));
});

/** Pages whose programs are compiled and run by other tests. */
const shownElsewhere = [
  "cdp",
  "dbgp",
  "from-code",
  "lsp",
  "mcp",
  "new-version",
  "own-protocol",
  "own-reader",
  "programs",
  "launch-configurations",
].map((name) => `docs/guides/${name}.md`);

test("every code block is in a language that a test checks", () => {
  for (const { path, blocks } of pages)
    for (const { language, file } of blocks) {
      assert.match(language, /^(ts|js|json|sh|text|yaml|sql|)$/, path);
      // shown-examples.test.ts compares the blocks that show a file from `examples/` with that
      // file, and runs the examples.
      if (file?.startsWith("examples/") === false) assert.ok(shownElsewhere.includes(path), file);
    }
  const json = pages.flatMap(({ blocks }) => blocks.filter(({ language }) => language === "json"));
  assert.ok(json.length > 2);
  for (const { text } of json) assert.equal(typeof JSON.parse(text), "object");
});

test("every command line on a page uses only options that its command has", () => {
  const lines = pages.flatMap(({ blocks }) =>
    blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ text }) => text.split("\n"))
      .filter((line) => line.startsWith("npx wirewright ")),
  );
  assert.ok(lines.length > 10, `${lines.length} lines`);
  const help = new Map(
    commands.map((command) => [command, runCommand(root, [command, "--help"]).stdout]),
  );
  for (const line of lines) {
    const [call = ""] = line.split(/ #| -- /);
    const text = help.get(call.split(" ")[2]!);
    assert.ok(text !== undefined, line);
    for (const [option] of call.matchAll(/--[\w-]+/g))
      assert.match(text, new RegExp(`^  ${option}\\b`, "m"), line);
  }
});
