import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { brokenLinks, parsePage, type MarkdownPage, pages } from "../../support/markdown-page.js";
import { fromRoot, readJson } from "../../support/paths.js";

test("every script mentioned on a page exists", () => {
  const scriptsOf = (folder: string): object =>
    (readJson(`${folder}package.json`) as { scripts: object }).scripts;
  const named = pages.flatMap(({ text }) => [
    ...text.matchAll(/npm (?:--prefix (\S+) )?run ([\w:-]*\w)/g),
  ]);
  assert.ok(named.length > 20, `${named.length} scripts`);
  for (const [, folder, script] of named)
    assert.ok(script! in scriptsOf(folder === undefined ? "" : `${folder}/`), script);
});

test("every link on every page has a target", () => {
  assert.ok(pages.flatMap(({ links }) => links).length > 50);
  assert.deepEqual(brokenLinks(pages), []);
});

test("links to missing files, pages and headings are detected", () => {
  const page = (path: string, text: string): MarkdownPage => parsePage(path, text);
  const here = "# One\n\n## `Two`, three!\n\n## One\n\n";
  assert.deepEqual(
    brokenLinks([
      page(
        "docs/a.md",
        `${here}[1](#one) [2](#two-three) [3](#one-1) [4](../README.md) [5](b/c.md#x)`,
      ),
      page(
        "docs/b/c.md",
        "# X\n\n[up](../a.md#one) [code](../../runtime/index.ts) [net](https://a.b/#c)",
      ),
      page(
        "docs/d.md",
        "[1](#none) [2](a.md#two) [3](e.md) [4](../../up.md) [5](../runtime/index.ts#x)",
      ),
      page("docs/f.md", "```\n[1](none.md)\n```\n\n`[2](none.md)` and\n\n- [3](none.md)\n"),
    ]),
    [
      "docs/d.md: #none",
      "docs/d.md: a.md#two",
      "docs/d.md: e.md",
      "docs/d.md: ../../up.md",
      "docs/d.md: ../runtime/index.ts#x",
      "docs/f.md: none.md",
    ],
  );
});

test("a page that uses `await using` says which versions support it", () => {
  const parts = pages
    .filter(({ path }) => path !== "docs/guides/troubleshooting.md")
    .flatMap(({ path, text }) => text.split("\n\n").map((part) => ({ path, part })))
    .filter(({ part }) => part.includes("await using"));
  assert.ok(parts.length > 0);
  for (const { path, part } of parts)
    assert.match(part, /troubleshooting\.md#await-using-is-a-syntax-error/, path);
});

test("every path on a page exists", () => {
  const places = pages.flatMap(({ path, spans }) =>
    spans
      .filter((span) =>
        /^(cli|conformance|diff|docs|examples|generator|launch|protocols|runtime|schema|sessions|test|tools)\/[\w./-]+$/.test(
          span,
        ),
      )
      .filter((span) => !/[A-Z]{2}/.test(span.replace(/README\.md$/, "")))
      .map((span) => [path, span] as const),
  );
  assert.ok(places.length > 20, `${places.length} paths`);
  // A room's README may name its files from the room, and a page may name a test.
  const exists = (path: string, span: string): boolean =>
    [span, join(dirname(path), span), `test/${span}.test.ts`].some((file) =>
      existsSync(fromRoot(file)),
    );
  assert.deepEqual(
    places.filter(([path, span]) => !exists(path, span)),
    [],
  );
});
