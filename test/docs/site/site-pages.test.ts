import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { checks } from "../../../conformance/checks.js";
import type { AdapterResults } from "../../../conformance/report/adapter-results.js";
import { apiModules, readApiPages } from "../../../docs/site/api-reference.js";
import { createSidebar, type SidebarEntry } from "../../../docs/site/pages/sidebar.js";
import { versionList } from "../../../docs/site/pages/version-list.js";
import { playgroundPage } from "../../../docs/site/playground/bundle-playground.js";
import { readProtocolPages } from "../../../docs/site/protocol/read-protocol-pages.js";
import { base } from "../../../docs/site/pages/addresses.js";
import {
  addressOf,
  parseSitePage,
  printIndex,
  printPlainPage,
  printSitePage,
  readSitePages,
} from "../../../docs/site/pages/site-pages.js";
import { fromRoot, readJson } from "../../support/paths.js";

test("a site page takes its title and description from its Markdown text, and its links to files lead to the repository", () => {
  const text = [
    "# Watch a `session`",
    "",
    "Read [the reference](../reference/cli.md#wirewright-tap) first, or [the licence](../../LICENSE).",
    "",
    "![An image](images/inspector-narrow.png) and [a site](https://example.org), `[no](link.md)`",
    "",
    "```md",
    "[code](stays.md)",
    "```",
    "",
  ].join("\n");
  const page = parseSitePage("docs/guides/tap.md", text);
  assert.deepEqual(page, {
    source: "docs/guides/tap.md",
    address: "guides/tap",
    title: "Watch a session",
    description: "Read the reference first, or the licence.",
    body: [
      "Read [the reference](/wirewright/reference/cli/#wirewright-tap) first, or [the licence](https://github.com/wirewright/wirewright/blob/main/LICENSE).",
      "",
      "![An image](/wirewright/guides/images/inspector-narrow.png) and [a site](https://example.org), `[no](link.md)`",
      "",
      "```md",
      "[code](stays.md)",
      "```",
      "",
    ].join("\n"),
  });
  assert.equal(
    printSitePage(page).split("\n").slice(0, 6).join("\n"),
    [
      "---",
      'title: "Watch a session"',
      'description: "Read the reference first, or the licence."',
      'editUrl: "https://github.com/wirewright/wirewright/edit/main/docs/guides/tap.md"',
      "---",
      "",
    ].join("\n"),
  );
});

test("a page without a title or with a broken link causes an error that names the file", () => {
  assert.throws(() => parseSitePage("docs/x.md", "Text\n"), /docs\/x\.md: the first line/);
  assert.throws(
    () => parseSitePage("docs/x.md", "# X\n\n[there](no-such-file.md)\n"),
    /docs\/x\.md: the link to no-such-file\.md is broken/,
  );
});

test("the site contains each documentation page once, and the pages link only to existing pages", async () => {
  const guides = readSitePages();
  const names = ["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"];
  const protocol = (await Promise.all(names.map(readProtocolPages))).flat();
  const pages = [...guides, playgroundPage, ...protocol];
  const addresses = new Set(pages.map(({ address }) => address));
  assert.equal(addresses.size, pages.length);
  assert.equal(addressOf("docs/guides/client.md"), "guides/client");
  assert.ok(addresses.has("guides/client") && addresses.has("changelog") && addresses.has(""));
  const programs = /^(playground\/\w+\.(css|js)|demo)$/;
  const broken = pages.flatMap(({ address, body }) =>
    [...body.matchAll(/(?:\]\(|href=")\/wirewright\/([^)"#]*?)\/?(?:#[^)"]*)?[)"]/g)]
      .map((match) => match[1]!)
      .filter((target) => !addresses.has(target) && !programs.test(target))
      .filter((target) => !existsSync(fromRoot(`docs/${target}`)))
      .map((target) => `${address}: ${target}`),
  );
  assert.deepEqual(broken, []);
  const index = printIndex(guides);
  assert.ok(index.includes(`\n- [Command line](${base}/reference/cli.md)`));
});

test("the sidebar lists each guide, reference page and result once, and each protocol's messages", async () => {
  const protocol = await readProtocolPages("sqltools");
  const readme = readFileSync(fromRoot("README.md"), "utf8");
  const sidebar = createSidebar(readme, [protocol], false);
  const leaves = (entry: SidebarEntry): readonly string[] =>
    typeof entry === "string"
      ? [entry]
      : "link" in entry
        ? [entry.link.slice(1, -1)]
        : entry.items.flatMap((item) => leaves(item));
  const listed = sidebar.flatMap((entry) => leaves(entry));
  const pages = [...readSitePages(), ...protocol].map(({ address }) => address);
  assert.deepEqual(
    pages.filter((address) => address !== "" && !listed.includes(address)),
    [],
  );
  assert.deepEqual(
    listed.filter((address, index) => listed.indexOf(address) !== index),
    [],
  );
  assert.deepEqual(
    listed.filter(
      (address) => !/^(api|playground)(\/|$)/.test(address) && !pages.includes(address),
    ),
    [],
  );
});

test("API pages link to other modules and to the types of messages, and leave out their guards", () => {
  const folder = mkdtempSync(join(tmpdir(), "api-"));
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const { source } of apiModules)
    file(
      source === "cli/index.ts" ? "cli/README.md" : source.replace(/(\/index)?\.ts$/, ".md"),
      "",
    );
  file(
    "protocols/dap/session.md",
    "[`a`](connection.md#b) [`Source`](../../generated/dap/types.md#source) [`Part`](../../generated/dap/types.md#part) [`c`](#c) [\\[d\\]](adapter.md) [web](https://site.example)\n",
  );
  file("generated/dap.md", "### isNextRequest()\n\nA guard.\n\n### peek()\n\nStays.\n");
  const pages = readApiPages(folder, new Set(["protocols/dap/source"]));
  rmSync(folder, { recursive: true });
  const bodyOf = (address: string): string =>
    pages
      .find((page) => page.address === address)!
      .body.split("\n\n")
      .slice(1)
      .join("\n\n");
  assert.equal(
    bodyOf("api/dap/session"),
    "[`a`](/wirewright/api/dap/connection/#b) [`Source`](/wirewright/protocols/dap/source/) `Part` [`c`](#c) [\\[d\\]](/wirewright/api/dap/adapter/) [web](https://site.example)\n",
  );
  assert.equal(bodyOf("api/dap"), "### peek()\n\nStays.\n");
});

test("a message's page contains its fields, direction, capability, version and rules", async () => {
  const pages = await readProtocolPages("dap");
  const page = pages.find(({ title }) => title === "GotoTargetsRequest")!;
  assert.equal(page.address, "protocols/dap/gototargetsrequest");
  const plain = printPlainPage(page);
  assert.equal(
    plain.slice(0, plain.indexOf("## Example")),
    `# GotoTargetsRequest

Lists possible \`goto\` targets for a source location. Send it only if \`supportsGotoTargetsRequest\` is true.

- Request \`gotoTargets\` from the client to the adapter
- Requires \`supportsGotoTargetsRequest\`, announced by the adapter in [Capabilities](/wirewright/protocols/dap/capabilities/)

## Arguments

| Field | Type | Meaning |
| --- | --- | --- |
| \`source\` | <code><a href="/wirewright/protocols/dap/source/">Source</a></code> | The source to look in. |
| \`line\` | <code>integer</code> | The line to look at. |
| \`column?\` | <code>integer</code> | The position in \`line\` for which to find targets. Counted in UTF-16 code units, from 0 or 1 depending on the client's \`columnsStartAt1\`. |

## Response

| Field | Type | Meaning |
| --- | --- | --- |
| \`targets\` | <code><a href="/wirewright/protocols/dap/gototarget/">GotoTarget</a>[]</code> | The possible targets. |

`,
  );
});

test("a request's page contains an example from a session and a picture of its sequence", async () => {
  const pages = await readProtocolPages("dap");
  const page = pages.find(({ title }) => title === "NextRequest")!;
  const example = page.body.split("## Example\n\n")[1]!.split("## Lint rules")[0]!;
  assert.match(
    example,
    /^From a recorded session of two small programs of this project, with the messages that followed\.\n\n<svg [^\n]+ aria-label="next from the client, then next \(response\) from the adapter, then [^"]*stopped \(event\) from the adapter" [^\n]+<\/svg>\n\n```json\n/,
  );
  const blocks = [...example.matchAll(/```json\n([^]*?)```/g)].map(
    ([, text]) => JSON.parse(text!) as object,
  );
  const kinds = blocks.map((block) => ("type" in block ? block.type : undefined));
  assert.deepEqual(kinds, ["request", "response"]);
  assert.doesNotMatch(printPlainPage(page), /<svg/);
});

test("a message's page lists a rule if the rule's second row names the message", async () => {
  const pages = await readProtocolPages("dap");
  const { body } = pages.find(({ title }) => title === "DisassembleRequest")!;
  assert.match(
    body,
    /\| \[`memory\.address`\]\(\/wirewright\/reference\/lint-rules\/\) \| warning \| /,
  );
});

test("a message's page contains its conformance checks with their results", async () => {
  const pages = await readProtocolPages("dap");
  const sectionOf = (title: string): string =>
    pages.find((page) => page.title === title)!.body.split("## Adapter conformance\n\n")[1]!;
  const checksOf = (title: string): readonly string[] =>
    [...sectionOf(title).matchAll(/^\| \[`([^`]+)`\]/gm)].map(([, id]) => id!);
  assert.deepEqual(checksOf("ThreadsRequest"), ["thr-01", "thr-03", "thr-04", "thr-06"]);
  assert.deepEqual(checksOf("GotoTargetsRequest"), ["run-22"]);
  assert.deepEqual(checksOf("ReverseContinueRequest"), ["run-15"]);
  assert.deepEqual(checksOf("VariablePresentationHint"), ["var-12"]);
  assert.ok(checksOf("Debug Adapter Protocol 1.71.0").includes("base-01"));
  const results = readJson("conformance/results/adapters/rdbg-1.4.json") as AdapterResults;
  const isFailing = (id: string): boolean =>
    results.checks.some(({ check, status }) => check === id && status === "fail");
  assert.ok(isFailing("bp-03"));
  const row = sectionOf("Breakpoint").match(/^.*`bp-03`.*$/m)![0];
  assert.match(
    row,
    /^\| \[`bp-03`\]\(\/wirewright\/conformance\/#bp-03\) \| A moved breakpoint is reported with its new line \| \d+ of \d+ pass\. Fails in .*rdbg 1\.4\.0 \|$/,
  );
});

test("each conformance check is on a page and has an anchor on the results page", async () => {
  const pages = await readProtocolPages("dap");
  const linked = new Set(
    pages.flatMap(({ body }) =>
      [...body.matchAll(/\/conformance\/#([\w-]+)\)/g)].map((m) => m[1]!),
    ),
  );
  const text = readFileSync(fromRoot("docs/conformance.md"), "utf8");
  const anchors = [...text.matchAll(/<a id="([\w-]+)"><\/a>/g)].map((match) => match[1]!);
  assert.deepEqual([...linked].sort(), checks.map(({ id }) => id).sort());
  assert.deepEqual(anchors.sort(), [...linked].sort());
});

test("the version list links to each release once, newest first", () => {
  const changelog =
    "# Changelog\n\n## 0.3.0 (unreleased)\n\n## 0.2.1 (2027-01-02)\n\n## 0.2.0 (2026-12-24)\n\n## 0.1.0 (2026-12-01)\n";
  assert.deepEqual(versionList(changelog)!.body.split("\n\n")[1]!.split("\n").filter(Boolean), [
    "- [Newest](/wirewright/): the main branch",
    "- [0.2](/wirewright/0.2/)",
    "- [0.1](/wirewright/0.1/)",
  ]);
  assert.equal(versionList("# Changelog\n\n## Unreleased\n"), undefined);
});

test("the versions page lists each addition once", async () => {
  const pages = await readProtocolPages("dap");
  const { body } = pages.find(({ address }) => address === "protocols/dap/versions")!;
  const of = (version: string): string => body.split(`## ${version}\n\n`)[1]!.split("\n\n## ")[0]!;
  const link = (name: string, page: string): string =>
    `[${name}](/wirewright/protocols/dap/${page}/)`;
  assert.equal(
    of("1.65.0"),
    [
      `- ${link("DataBreakpointInfoArguments", "databreakpointinforequest")}: \`mode\``,
      `- ${link("Capabilities", "capabilities")}: \`breakpointModes\``,
      `- ${link("SourceBreakpoint", "sourcebreakpoint")}: \`mode\``,
      `- ${link("InstructionBreakpoint", "instructionbreakpoint")}: \`mode\``,
      `- ${link("ExceptionFilterOptions", "exceptionfilteroptions")}: \`mode\``,
      `- The type ${link("BreakpointMode", "breakpointmode")}`,
      `- The type ${link("BreakpointModeApplicability", "breakpointmodeapplicability")}`,
    ].join("\n"),
  );
  assert.match(of("1.68.0"), /^- The request \[LocationsRequest\]/);
  assert.doesNotMatch(of("1.68.0"), /LocationsArguments/);
});
