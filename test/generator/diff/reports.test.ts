import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Ajv } from "ajv";
import { schemaExcerpt } from "../../../generator/library/schema-excerpt.js";
import { rules } from "../../../generator/diff/compare/rules.js";
import { pageStyle, rangeStyle } from "../../../generator/diff/report/report-html-page.js";
import { readJsonText } from "../../../generator/read/source/json-text.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { skipWithoutBrowser, withPage } from "../../../tools/shared/headless-browser.js";
import { fromRoot, root } from "../../../tools/shared/paths.js";
import { runCommand } from "../../support/run-command.js";

const hostile = [
  "test/fixtures/hostile-pair/before.json",
  "test/fixtures/hostile-pair/after.json",
  "--protocol",
  "test/fixtures/elementary",
];
const cases: Readonly<Record<string, readonly string[]>> = {
  "1.40-1.71": ["dap@1.40.0", "dap@1.71.0"],
  "1.70-1.71": ["dap@1.70.0", "dap@1.71.0"],
  hostile,
};

function report(args: readonly string[], status: number): string {
  const outcome = runCommand(root, ["diff", ...args]);
  assert.deepEqual([outcome.status, outcome.stderr], [status, ""]);
  return outcome.stdout;
}

/** Compares with a file, or writes it where `UPDATE_GOLDEN` asks for that. */
function assertGolden(name: string, text: string): void {
  const path = fromRoot(`test/golden/${name}`);
  if (process.env["UPDATE_GOLDEN"] !== undefined) writeFileSync(path, text);
  assert.ok(existsSync(path), `${name} is missing: set UPDATE_GOLDEN`);
  assert.equal(text, readFileSync(path, "utf8"));
}

for (const [name, args] of Object.entries(cases)) {
  test(`the report on ${name} is the golden one`, () => {
    const status = name === "hostile" ? 1 : 0;
    assertGolden(`diff-${name}.txt`, report(args, status));
    assertGolden(`diff-${name}.md`, report([...args, "--format", "markdown"], status));
  });
}

test("1.70 to 1.71 fits on one screen", () => {
  const lines = report(cases["1.70-1.71"]!, 0).trimEnd().split("\n");
  assert.ok(lines.length <= 45, `${lines.length} lines`);
  // Paragraphs are as long as they are; terminals break them.
  const findings = lines.slice(lines.indexOf("lossy"));
  assert.ok(Math.max(...findings.map((line) => line.length)) <= 160);
});

test("a group shows the worst of its members, and --expand lists them all", () => {
  const text = report([...cases["1.70-1.71"]!, "--expand", "--level", "safe"], 0);
  assert.equal([...text.matchAll(/^ {6}\w+\.\w+\S* {3}\S+:\d+:\d+$/gm)].length, 145);
});

test("JSON reports are what their schema says", () => {
  const schema = JSON.parse(
    readFileSync(fromRoot("schema/diff-report.schema.json"), "utf8"),
  ) as object;
  const validate = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(
    schema,
  );
  const accepts = (text: string): void => {
    assert.ok(validate(JSON.parse(text)), JSON.stringify(validate.errors?.slice(0, 3)));
  };
  for (const [name, args] of Object.entries(cases))
    accepts(report([...args, "--format", "json"], name === "hostile" ? 1 : 0));
  accepts(report(["--range", "1.51.0..1.71.0", "--format", "json"], 0));
  const failed = runCommand(root, ["diff", "-", "dap", "--format", "json"], '{"a": 1,}');
  assert.equal(failed.status, 2);
  accepts(failed.stdout);
  assert.deepEqual(JSON.parse(failed.stdout), {
    report: "error",
    reportVersion: 1,
    error: {
      code: "ERR_JSON",
      message: 'Cannot parse JSON: property name expected at "}"',
      place: { file: "<stdin>", line: 1, column: 9 },
    },
  });
});

test("findings point at lines of both files", () => {
  const { findings } = JSON.parse(report([...hostile, "--format", "json"], 1)) as {
    findings: { at: string; before?: object; after?: object }[];
  };
  const find = (at: string): unknown => {
    const { before, after } = findings.find((finding) => finding.at === at)!;
    return [before, after];
  };
  const lineOf = (file: string, text: string): number =>
    readFileSync(fromRoot(`test/fixtures/hostile-pair/${file}`), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(text)) + 1;
  const pointer = "/definitions/PutRequest/allOf/1/properties/arguments/properties/__proto__";
  assert.deepEqual(find("PutRequestArguments.__proto__"), [
    {
      file: "test/fixtures/hostile-pair/before.json",
      pointer,
      line: lineOf("before.json", '"__proto__": {'),
      column: 30,
    },
    {
      file: "test/fixtures/hostile-pair/after.json",
      pointer,
      line: lineOf("after.json", '"__proto__": {'),
      column: 30,
    },
  ]);
});

test("SARIF reports have a rule and a place for each result", () => {
  const sarif = JSON.parse(report([...hostile, "--format", "sarif"], 1)) as {
    version: string;
    runs: [{ tool: { driver: { rules: { id: string }[] } }; results: Sarif[] }];
  };
  interface Sarif {
    ruleId: string;
    ruleIndex: number;
    level: string;
    message: { text: string };
    locations: { physicalLocation: { region: { startLine: number } } }[];
  }
  const [{ tool, results }] = sarif.runs;
  assert.equal(sarif.version, "2.1.0");
  assert.equal(results.length, 10);
  for (const { ruleId, ruleIndex, level, message, locations } of results) {
    assert.equal(tool.driver.rules[ruleIndex]!.id, ruleId);
    assert.ok(["error", "warning", "note", "none"].includes(level));
    assert.ok(message.text.length > 20);
    assert.ok(locations[0]!.physicalLocation.region.startLine > 1);
  }
});

test("SARIF names the tool, paths below the folder, and a fingerprint for each finding", async () => {
  interface Run {
    readonly tool: { readonly driver: Readonly<Record<string, unknown>> };
    readonly results: readonly {
      readonly locations: readonly {
        readonly physicalLocation: { readonly artifactLocation: object };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }
  const runOf = (text: string): Run => (JSON.parse(text) as { runs: [Run] }).runs[0];
  const [old, now, ...rest] = hostile;
  await withFolder((folder) => {
    const own = runOf(report([...hostile, "--format", "sarif"], 1));
    const inner = `${folder}/inner`;
    mkdirSync(inner);
    copyFileSync(fromRoot(old!), `${folder}/old.json`);
    copyFileSync(fromRoot(now!), `${folder}/new file.json`);
    const args = ["diff", `${folder}/old.json`, `${folder}/new file.json`, "--format", "sarif"];
    const { stdout } = runCommand(inner, [...args, "--protocol", fromRoot(rest[1]!)]);
    const outside = runOf(stdout);
    const { name, version, semanticVersion, informationUri } = own.tool.driver;
    const { version: tool, homepage } = JSON.parse(
      readFileSync(fromRoot("package.json"), "utf8"),
    ) as Record<string, string>;
    assert.deepEqual(
      [name, version, semanticVersion, informationUri],
      ["wirewright", tool, tool, homepage],
    );
    const places = new Set(
      outside.results.map(({ locations }) =>
        JSON.stringify(locations[0]!.physicalLocation.artifactLocation),
      ),
    );
    assert.deepEqual([...places].sort(), [
      '{"uri":"../new%20file.json","uriBaseId":"%SRCROOT%"}',
      '{"uri":"../old.json","uriBaseId":"%SRCROOT%"}',
    ]);
    const prints = (run: Run): readonly string[] =>
      run.results.map(({ partialFingerprints }) => partialFingerprints["wirewright/v1"]!);
    assert.equal(new Set(prints(own)).size, own.results.length);
    assert.match(prints(own)[0]!, /^[0-9a-f]{64}$/);
    // The same findings are the same wherever the files lie.
    assert.deepEqual(prints(outside), prints(own));
  });
});

test("what an overlay adds is found in the overlay, and a payload that got another name in its schema", () => {
  const lines = (...args: string[]): string =>
    report([...args, "--format", "github", "--fail-on", "never"], 0);
  const overlay = "schema/acp-breakpoints/breakpoints.json";
  const place = (name: string): number =>
    readFileSync(fromRoot(overlay), "utf8")
      .split("\n")
      .findIndex((line) => line.includes(`"${name}": {`)) + 1;
  assert.match(
    lines("acp", "acp-breakpoints"),
    new RegExp(
      `file=${overlay},line=${place("BreakpointChangedParams")},col=\\d+,title=message.added-event`,
    ),
  );
  const schema = readFileSync(
    fromRoot("node_modules/@agentclientprotocol/sdk/schema/v2/schema.json"),
    "utf8",
  );
  const line =
    schema.split("\n").findIndex((text) => text.includes('"RequestPermissionRequest": {')) + 1;
  const [, found] =
    /line=(\d+),col=\d+,title=prop.added-required::\+ RequestPermissionParams.title/.exec(
      lines("acp", "acp@2"),
    )!;
  assert.ok(Number(found) > line && Number(found) < line + 60, `${found} after ${line}`);
});

test("annotations and JUnit cases are one per decision, and nothing in a schema can end them early", () => {
  const github = report([...hostile, "--format", "github"], 1)
    .trimEnd()
    .split("\n");
  assert.equal(github.length, 9);
  for (const line of github)
    assert.match(
      line,
      /^::(error|warning|notice) file=[^,:]+,line=\d+,col=\d+,title=[\w.-]+::[^:]/,
    );
  const junit = report([...hostile, "--format", "junit"], 1);
  assert.equal([...junit.matchAll(/<testcase /g)].length, 10);
  assert.equal([...junit.matchAll(/<failure /g)].length, 6);
  assert.match(
    junit,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="10" failures="6">/,
  );
  assert.doesNotMatch(junit, /<b>|\u0000/);
});

test("the page carries everything and runs nothing of a schema", () => {
  const page = report([...hostile, "--format", "html"], 1);
  assert.equal([...page.matchAll(/<script>/g)].length, 1);
  assert.doesNotMatch(page, /<b>bold<\/b>/);
  assert.match(page, /&lt;b&gt;bold&lt;\/b&gt;/);
  const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link!);
  const rulesPage =
    "https://github.com/wirewright/wirewright/blob/main/docs/reference/diff-rules.md#:~:text=";
  assert.notEqual(links.length, 0);
  for (const link of links) {
    assert.ok(link.startsWith(rulesPage), link);
    assert.ok(rules.has(link.slice(rulesPage.length)), link);
  }
  const rest = page.replaceAll(rulesPage, "");
  assert.doesNotMatch(rest, /\bsrc=|https?:|@import|url\(/);
  assert.match(page, /default-src 'none'/);
});

test("the page shows what both schemas say, in a few lines", () => {
  const page = report([...hostile, "--format", "html"], 1);
  const excerpts = [...page.matchAll(/<pre class="excerpt">([^]*?)<\/pre>/g)].map(
    ([, text]) => text!,
  );
  assert.ok(excerpts.length > 10, String(excerpts.length));
  for (const text of excerpts) {
    const lines = text.split("\n");
    assert.ok(lines.length <= 14);
    assert.ok(lines.every((line) => line.length <= 400));
  }
  const file = readJsonText(
    JSON.stringify({
      short: { type: "string" },
      deep: { a: { b: { c: { d: 1 } } } },
      wide: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, index])),
      list: Array.from({ length: 40 }, (_, index) => index),
      long: "x".repeat(500),
      "a/b": null,
    }),
    "a.json",
  );
  const at = (pointer: string): string => schemaExcerpt(file, pointer);
  assert.equal(at("/short"), '{\n  "type": "string"\n}');
  assert.equal(at("/deep"), '{\n  "a": {\n    "b": {\n      "c": "…"\n    }\n  }\n}');
  assert.equal(at("/wide").split("\n").length, 14);
  assert.ok(at("/wide").endsWith('  "p11": 11,\n…'));
  assert.ok(at("/list").endsWith("\n  11,\n…"));
  assert.equal(at("/long"), `"${"x".repeat(98)}…`);
  assert.equal(at("/a~1b"), "null");
  for (const pointer of ["", "/nothing", "/short/type/x", "/__proto__"])
    assert.equal(at(pointer), "");
});

test("every text of the page has enough contrast, light and dark", () => {
  const css = pageStyle + rangeStyle;
  assert.doesNotMatch(css, /opacity|rgba?\(|hsla?\(/);
  const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
  for (const scheme of [light, dark]) {
    const end = scheme.indexOf("}");
    const colours = new Map(
      [...scheme.slice(0, end).matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [
        name!,
        value!,
      ]),
    );
    const used = new Set(
      [...css.matchAll(/(?<![-\w])color: ([^;}]+?) ?[;}]/g)].map(([, value]) => value!.trim()),
    );
    const texts = [...used].map(
      (value) => /^var\(--(\w+)\)$/.exec(value)?.[1] ?? assert.fail(value),
    );
    assert.ok(texts.length >= 8, texts.join());
    for (const text of texts)
      for (const ground of ["back", "soft"]) {
        const found = contrast(colours.get(text)!, colours.get(ground)!);
        assert.ok(found >= 4.5, `${text} on ${ground}: ${found.toFixed(2)}`);
      }
  }
});

/** The contrast of two colours, by WCAG 2. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

test("the contrast of colours is computed as WCAG does", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

test("the link holds the filter", { skip: skipWithoutBrowser }, async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/report.html`;
    runCommand(root, ["diff", ...hostile, "--format", "html", "--out", path]);
    const page = pathToFileURL(path).href;
    const state = `[...document.querySelectorAll("[name=level]:checked")].map((box) => box.value).join() +
      " " + search.value + " " + pair.value + " " + document.getElementById("count").value`;
    await withPage(`${page}#level=breaking&find=null-added`, async (evaluate) => {
      assert.equal(await evaluate(state), "breaking null-added  1 of 10");
      const change = (code: string): Promise<unknown> =>
        evaluate(`${code}; form.dispatchEvent(new Event("input")); location.hash`);
      assert.equal(
        await change(`search.value = "a b&c"; pair.value = "old-client/new-adapter"`),
        "#level=breaking&find=a+b%26c&pair=old-client/new-adapter",
      );
      assert.equal(
        await change(`search.value = pair.value = ""; boxes[1].checked = true`),
        "#level=breaking,risky",
      );
      assert.equal(await change(`for (const box of boxes) box.checked = box.defaultChecked`), "");
      await evaluate(`location.hash = "#pair=nonsense&level=doc,nonsense"; readLink()`);
      assert.equal(await evaluate(state), "doc   1 of 10");
    });
  });
});

test("the page filters and expands in a browser", { skip: skipWithoutBrowser }, async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/report.html`;
    runCommand(root, ["diff", ...hostile, "--format", "html", "--out", path]);
    await withPage(pathToFileURL(path).href, async (evaluate) => {
      const shown = (): Promise<unknown> =>
        evaluate(
          `[...document.querySelectorAll(".group")].filter((group) => group.offsetParent !== null).length`,
        );
      const set = (selector: string, code: string): Promise<unknown> =>
        evaluate(
          `(() => { const it = document.querySelector(${JSON.stringify(selector)}); ${code}; it.dispatchEvent(new Event("input", { bubbles: true })); })()`,
        );
      assert.equal(await shown(), 9);
      assert.equal(await evaluate(`document.getElementById("count").value`), "9 of 10");
      await set("[value=risky]", "it.checked = false");
      assert.equal(await shown(), 6);
      await set("#search", `it.value = "null-added"`);
      assert.equal(await shown(), 1);
      await set("#pair", `it.value = "old-client/new-adapter"`);
      assert.equal(await shown(), 0);
      await set("#pair", `it.value = ""`);
      assert.equal(await evaluate(`document.querySelector(".group:not([hidden])").open`), false);
      await evaluate(`document.getElementById("expand").click()`);
      assert.deepEqual(
        JSON.parse(
          (await evaluate(
            `document.querySelector(".group[open] .witness pre").innerText`,
          )) as string,
        ),
        {
          seq: 0,
          type: "request",
          command: "put",
          arguments: JSON.parse(
            '{"__proto__": 0, "tree": {"kind": "knot"}, "toString": "", "constructor": null}',
          ) as object,
        },
      );
      assert.equal(await evaluate(`document.getElementById("expand").textContent`), "Collapse all");
    });
  });
});
