import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { schemaExcerpt } from "../../diff/report/report-html.js";
import { rules } from "../../diff/compare/rules.js";
import { pageStyle, rangeStyle } from "../../diff/report/report-html-page.js";
import { readJsonText } from "../../generator/read/source/json-text.js";
import { withFolder } from "../support/compile.js";
import { setView, skipWithoutBrowser, withPage } from "../support/headless-browser.js";
import { root } from "../support/paths.js";
import { runCommand } from "../support/run-command.js";
import { hostile, report } from "../support/diff-command.js";

test("the page is a single file and does not run scripts from a schema", () => {
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

test("the page shows excerpts of both schemas", () => {
  const page = report([...hostile, "--format", "html"], 1);
  const excerpts = [...page.matchAll(/<pre class="excerpt" tabindex="0">([^]*?)<\/pre>/g)].map(
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

test("all text on the page has sufficient contrast in light and dark mode", () => {
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

/** Computes the contrast of two colours according to WCAG 2. */
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

test("the contrast between colours is computed as defined by WCAG", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
});

test("the link to the page contains the filter", { skip: skipWithoutBrowser }, async () => {
  await withFolder(async (folder) => {
    const path = `${folder}/report.html`;
    runCommand(root, ["diff", ...hostile, "--format", "html", "--out", path]);
    const page = pathToFileURL(path).href;
    const state = `[...document.querySelectorAll("[name=severity]:checked")].map((box) => box.value).join() +
      " " + search.value + " " + pair.value + " " + document.getElementById("count").value`;
    await withPage(`${page}#severity=breaking&find=null-added`, async (evaluate) => {
      assert.equal(await evaluate(state), "breaking null-added  1 of 10");
      const change = (code: string): Promise<unknown> =>
        evaluate(`${code}; form.dispatchEvent(new Event("input")); location.hash`);
      assert.equal(
        await change(`search.value = "a b&c"; pair.value = "old-client/new-adapter"`),
        "#severity=breaking&find=a+b%26c&pair=old-client/new-adapter",
      );
      assert.equal(
        await change(`search.value = pair.value = ""; boxes[1].checked = true`),
        "#severity=breaking,risky",
      );
      assert.equal(await change(`for (const box of boxes) box.checked = box.defaultChecked`), "");
      await evaluate(`location.hash = "#pair=nonsense&severity=doc,nonsense"; readLink()`);
      assert.equal(await evaluate(state), "doc   1 of 10");
    });
  });
});

test(
  "in a browser, the page filters and expands findings",
  { skip: skipWithoutBrowser },
  async () => {
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
        assert.equal(await evaluate(`document.querySelector("#none").hidden`), true);
        await set("#pair", `it.value = "old-client/new-adapter"`);
        assert.equal(await shown(), 0);
        assert.equal(await evaluate(`document.querySelector("#none").hidden`), false);
        await evaluate(`document.querySelector("#none button").click()`);
        assert.equal(await shown(), 10);
        await set("#search", `it.value = "null-added"`);
        // Breaking changes are open from the beginning, others are not.
        const open = `[...document.querySelectorAll(".group")].map((group) => group.dataset.severity + (group.open ? " open" : "")).filter((text, index, all) => all.indexOf(text) === index)`;
        assert.deepEqual(await evaluate(open), ["breaking open", "risky", "doc"]);
        assert.deepEqual(
          JSON.parse(
            (await evaluate(
              `document.querySelector(".group[open]:not([hidden]) .witness pre").innerText`,
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
        await set("#search", `it.value = ""`);
        await evaluate(`document.getElementById("expand").click()`);
        assert.equal(
          await evaluate(`document.getElementById("expand").textContent`),
          "Collapse all",
        );
      });
    });
  },
);

test(
  "the page begins with the effects on each side, and is accessible",
  { skip: skipWithoutBrowser, timeout: 120_000 },
  async () => {
    const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
    await withFolder(async (folder) => {
      const path = `${folder}/report.html`;
      runCommand(root, ["diff", ...hostile, "--format", "html", "--out", path]);
      await withPage(pathToFileURL(path).href, async (evaluate, send) => {
        assert.deepEqual(
          await evaluate(
            `[...document.querySelectorAll(".effects h3")].map((title) => title.innerText)`,
          ),
          [
            "A client that moves from before.json to after.json with old adapters",
            "An adapter that moves from before.json to after.json with old clients",
            "A client that stays on before.json with new adapters",
            "An adapter that stays on before.json with new clients",
          ],
        );
        await evaluate(`${axe}; null`);
        for (const [width, scheme] of [
          [1_400, "light"],
          [1_024, "dark"],
          [400, "light"],
          [400, "dark"],
        ] as const) {
          await setView(send, { width, height: 900, scheme });
          const where = `${width} px, ${scheme}`;
          assert.deepEqual(
            await evaluate(
              `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join("\\n")))`,
            ),
            [],
            where,
          );
          const effects = (await evaluate(
            `document.querySelector(".effects").getBoundingClientRect().top`,
          )) as number;
          assert.ok(effects < 200, `${where}: the effects begin at ${effects} px`);
          assert.ok(
            ((await evaluate(`document.documentElement.scrollWidth`)) as number) <= width,
            `${where}: it scrolls sideways`,
          );
        }
      });
    });
  },
);
