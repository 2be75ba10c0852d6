import assert from "node:assert/strict";
import { test } from "node:test";
import { forged } from "../../../support/forged-text.js";
import { skipWithoutBrowser as skip } from "../../../support/headless-browser.js";
import { pageOf, recorded } from "../../../support/inspector-page.js";
import { dap, withInspector } from "../../../support/inspector-view.js";
import { dapRequest } from "../../../support/dap-messages.js";

test(
  "untrusted text on a page is never markup, never runs and is always visible, and the page makes no requests",
  { skip },
  async () => {
    const hostile = [
      forged,
      "</script><script>globalThis.hacked = 1</script>",
      "<img src=x onerror='globalThis.hacked = 1'>",
      "\u2028\u2029\u202e\ud800 \udc00\0",
      "javascript:globalThis.hacked=1",
    ].join(" ");
    const lines = [
      recorded("client", 0, dapRequest(1, hostile, { [hostile]: hostile, list: [hostile] })),
      recorded("adapter", 1, {
        seq: 1,
        type: "event",
        event: hostile,
        body: hostile,
        __proto__: null,
        constructor: 1,
      }),
      { kind: "noise", from: "adapter", time: 2, text: hostile },
      recorded("adapter", 3, { [hostile]: hostile, ["__proto__"]: { polluted: true } }),
    ];
    const html = await pageOf(lines, dap, { name: hostile });
    await withInspector(html, async (evaluate) => {
      for (let row = 0; row < 4; row++) {
        await evaluate(`tap("[data-row='${row}']")`);
        const shown = String(await evaluate(`document.body.innerText`));
        assert.doesNotMatch(shown, /(?![\t\n])[\p{Cc}\p{Cs}\u2028\u2029\u202e]/u);
        assert.match(shown, /\\u202e/);
      }
      await evaluate(`tap("[role=tab]", "Findings")`);
      await evaluate(`type("onerror")`);
      assert.deepEqual(await evaluate(`rows()`), [0, 1, 2, 3]);
      assert.equal(await evaluate(`globalThis.hacked ?? ({}).polluted ?? 0`), 0);
      assert.deepEqual(
        await evaluate(`all("img, a, iframe, link, script[src], object, embed").length`),
        0,
      );
      // The content security policy blocks any requests that injected content could cause.
      assert.equal(
        await evaluate(`fetch("data:,x").then(() => "sent", () => "refused")`),
        "refused",
      );
      assert.equal(
        await evaluate(
          `new Promise((resolve) => { const image = new Image(); image.onload = () => resolve("shown"); image.onerror = () => resolve("refused"); image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw="; })`,
        ),
        "refused",
      );
      assert.equal(
        await evaluate(
          `performance.getEntriesByType("resource").filter(({ name }) => !name.startsWith("data:")).length`,
        ),
        0,
      );
    });
  },
);
