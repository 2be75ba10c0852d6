import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compilePrograms, withFolder } from "../../support/compile.js";
import { parsePage } from "../../support/markdown-page.js";
import { fromRoot, root } from "../../support/paths.js";

/** Package folders by package name. */
const packages = new Map(
  [
    ...["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"].map((name) => `generated/${name}`),
    "test/fixtures/ticker/generated",
  ].map((folder) => {
    const manifest = readFileSync(fromRoot(`${folder}/package.json`), "utf8");
    return [(JSON.parse(manifest) as { name: string }).name, folder];
  }),
);

function examplesOf(folder: string): readonly string[] {
  const readme = readFileSync(fromRoot(`${folder}/README.md`), "utf8");
  return parsePage("README.md", readme)
    .blocks.filter(({ language }) => language === "ts")
    .map(({ text }) => text);
}

test("the examples in every package's README compile", async () => {
  await withFolder((folder) => {
    const files = [...packages].flatMap(([, path]) =>
      examplesOf(path).map((example, index): [string, string] => [
        `${path.replaceAll("/", "-")}-${index}.ts`,
        `declare const parameters: never;\n${example.replaceAll(
          /"([^"]+)"/g,
          (found, specifier: string) => {
            const name = [...packages.keys()].find(
              (each) => specifier === each || specifier.startsWith(`${each}/`),
            );
            if (name === undefined) return found;
            const entry = specifier.slice(name.length + 1) || "index";
            return JSON.stringify(fromRoot(`${packages.get(name)!}/${entry}.js`));
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
    const text = examplesOf(packages.get(name)!).join("\n");
    return ["spawn", "define", "connect(", "createClient", "notify", "visitFields"].filter((each) =>
      text.includes(each),
    );
  };
  assert.deepEqual(Object.fromEntries([...packages.keys()].map((name) => [name, shown(name)])), {
    "@wirewright/dap": ["spawn", "define", "notify", "visitFields"],
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
  for (const [name, folder] of packages) {
    const { links } = parsePage("README.md", readFileSync(fromRoot(`${folder}/README.md`), "utf8"));
    assert.deepEqual(
      links.filter((link) => !link.startsWith(base)),
      [],
      name,
    );
    assert.ok(links.length > 0, name);
  }
});
