import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { pageOf } from "../../../support/inspector-page.js";
import {
  setView,
  skipWithoutBrowser as skip,
  type View,
} from "../../../support/headless-browser.js";
import { dap, wide, withInspector, session } from "../../../support/inspector-view.js";

const narrow: View = { width: 400, height: 800, scheme: "light" };

test(
  "a narrow page shows one panel at a time, and all content fits the width",
  { skip },
  async () => {
    await withInspector(
      await pageOf(session, dap),
      async (evaluate) => {
        for (const tab of ["Messages", "Waterfall", "Message", "State", "Findings", "Timing"]) {
          await evaluate(`tap("[role=tab]", "${tab}")`);
          assert.equal(await evaluate(`document.documentElement.scrollWidth`), 400, tab);
        }
        await evaluate(`tap("[role=tab]", "Messages")`);
        await evaluate(`tap("[data-row='6']")`);
        assert.equal(await evaluate(`texts("article h2").join()`), "response threads 3");
        await evaluate(`tap("button", "Filters")`);
        await evaluate(`choose("Kind", "event")`);
        await evaluate(`tap("[role=tab]", "Messages")`);
        assert.deepEqual(await evaluate(`rows()`), [2, 7]);
      },
      narrow,
    );
  },
);

test("a summary has room next to its message on every wide page", { skip }, async () => {
  await withInspector(await pageOf(session, dap), async (evaluate, send) => {
    for (const width of [1_400, 1_100, 1_024, 961]) {
      await setView(send, { width, height: 800, scheme: "light" });
      await evaluate("settled()");
      const [summary, name] = (await evaluate(
        `[".sum", ".what"].map((part) => all("#list .row " + part)[0].clientWidth)`,
      )) as [number, number];
      assert.ok(summary >= 112, `${width} px: the summary is ${summary} px wide`);
      assert.ok(name >= 140, `${width} px: the name is ${name} px wide`);
    }
  });
});

for (const scheme of ["light", "dark"] as const)
  for (const view of [wide, narrow])
    test(`axe finds no serious problems: ${scheme}, ${view.width} pixels`, { skip }, async () => {
      const axe = readFileSync(
        createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
        "utf8",
      );
      await withInspector(
        await pageOf(session, dap),
        async (evaluate) => {
          await evaluate(`${axe}; null`);
          const check = async (where: string): Promise<void> => {
            const found = await evaluate(
              `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => id + " " + impact + " " + nodes.map(({ html, failureSummary }) => html + failureSummary).join("\\n")))`,
            );
            assert.deepEqual(found, [], where);
          };
          if (view === narrow) await evaluate(`tap("button", "Filters")`);
          await evaluate(`tap("[data-row='6']")`);
          await check("message");
          for (const tab of [
            ...(view === narrow ? ["Waterfall"] : []),
            "State",
            "Findings",
            "Timing",
          ]) {
            await evaluate(`tap("[role=tab]", "${tab}")`);
            await check(tab);
          }
          if (view === narrow) await evaluate(`tap("[role=tab]", "Messages")`);
          await check("list");
          await evaluate(`tap("button", "Keys")`);
          await check("keys");
        },
        { ...view, scheme },
      );
    });
