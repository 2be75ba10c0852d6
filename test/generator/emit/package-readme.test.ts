import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { compilePrograms, withProject, writeFiles } from "../../support/compile.js";
import { parsePage, type MarkdownPage } from "../../support/markdown-page.js";
import { fromRoot, root } from "../../support/paths.js";
import { entryPoints, packagedProtocols } from "../../support/workspaces.js";

const ticker = fromRoot("test/fixtures/ticker");

/** Each package's README, by package name. */
const readmes = new Map(
  await Promise.all(
    [...packagedProtocols, ticker].map(async (protocol): Promise<[string, MarkdownPage]> => {
      const { packageName } = await readProtocol(protocol);
      const { files } = await generate(protocol, { packageName });
      return [packageName, parsePage("README.md", files.get("README.md")!)];
    }),
  ),
);

const examplesOf = ({ blocks }: MarkdownPage): readonly string[] =>
  blocks.filter(({ language }) => language === "ts").map(({ text }) => text);

/** Returns the module that a specifier such as `@wirewright/dap/node` refers to. */
function moduleOf(specifier: string): string | undefined {
  const [, name = "", entry = "index"] =
    /^(ticker-protocol|@wirewright\/[^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (!readmes.has(name)) return undefined;
  return name === "ticker-protocol"
    ? `./ticker/${entry}.js`
    : fromRoot(`${entryPoints(name.slice("@wirewright/".length)).get(entry)}.js`);
}

test("the examples in every package's README compile", async () => {
  await withProject(async (folder) => {
    writeFiles(join(folder, "ticker"), (await generate(ticker)).files);
    const files = [...readmes].flatMap(([name, readme]) =>
      examplesOf(readme).map((example, index): [string, string] => [
        `${name.replaceAll("/", "-")}-${index}.ts`,
        `declare const parameters: never;\n${example.replaceAll(
          /"([^"]+)"/g,
          (quoted, specifier: string) => {
            const module = moduleOf(specifier);
            return module === undefined ? quoted : JSON.stringify(module);
          },
        )}`,
      ]),
    );
    assert.ok(files.length > 10, `${files.length} examples`);
    assert.equal(compilePrograms(folder, files), "");
  });
});

test("a README describes its protocol's features", () => {
  const shown = (name: string): readonly string[] => {
    const text = examplesOf(readmes.get(name)!).join("\n");
    return ["spawn", "connect(", "createClient", "notify", "visitFields"].filter((each) =>
      text.includes(each),
    );
  };
  assert.deepEqual(Object.fromEntries([...readmes.keys()].map((name) => [name, shown(name)])), {
    "@wirewright/dap": ["spawn", "connect(", "notify", "visitFields"],
    "@wirewright/sqltools": ["spawn", "connect(", "notify"],
    "@wirewright/ruby-debug-ide": ["connect(", "createClient"],
    "@wirewright/acp-breakpoints": ["spawn", "connect(", "notify"],
    "ticker-protocol": [],
  });
});

test("absolute links in READMEs point to files in the repository", () => {
  const { repository } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as {
    repository: { url: string };
  };
  const base = repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
  for (const [name, { links }] of readmes) {
    assert.deepEqual(
      links.filter((link) => !link.startsWith(base)),
      [],
      name,
    );
    assert.ok(links.length > 0, name);
  }
});
