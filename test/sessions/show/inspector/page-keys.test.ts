import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutBrowser as skip } from "../../../support/headless-browser.js";
import { dapEvent } from "../../../support/dap-messages.js";
import { pageOf, recorded } from "../../../support/inspector-page.js";
import { dap, withInspector, session } from "../../../support/inspector-view.js";

test(
  "n moves to the next finding, N to the next different finding, and a rule can be muted",
  { skip },
  async () => {
    const lines = Array.from({ length: 9 }, (_, at) =>
      recorded("adapter", at, dapEvent(at + 1, at === 4 ? "output" : "mine", { output: at })),
    );
    await withInspector(await pageOf(lines, dap), async (evaluate) => {
      const visit = async (key: string): Promise<readonly number[]> => {
        await evaluate(`press("Escape")`);
        await evaluate(`press("Home")`);
        const rows: number[] = [];
        for (let count = 0; count < 12; count++) {
          await evaluate(`press("${key}")`);
          const row = Number(await evaluate(`all(".row.selected")[0].dataset.row`));
          if (rows.at(-1) !== row) rows.push(row);
        }
        return rows;
      };
      assert.deepEqual(await visit("n"), [1, 2, 3, 4, 5, 6, 7, 8]);
      assert.deepEqual(await visit("N"), [4, 5]);
      assert.equal(
        await evaluate(`texts(".notice").join()`),
        "There is no other finding after this message",
      );
      await evaluate(`press("P")`);
      assert.equal(await evaluate(`all(".row.selected")[0].dataset.row`), "4");
      await evaluate(`press("f")`);
      const groups = (await evaluate(`texts(".group code:first-of-type")`)) as string[];
      await evaluate(`tap(".group .mute")`);
      const [first] = groups;
      assert.equal(await evaluate(`texts(".muted button").join()`), `${first} ×`);
      assert.match(String(await evaluate(`location.hash`)), new RegExp(`mute=${first}`));
      assert.deepEqual(
        await evaluate(`texts(".group code:first-of-type").includes("${first}")`),
        false,
      );
      await evaluate(`tap(".muted button")`);
      assert.deepEqual(await evaluate(`texts(".group code:first-of-type")`), groups);
      // The "Keys" button lists all keys.
      await evaluate(`tap("button", "Keys")`);
      assert.match(
        String(await evaluate(`texts(".keys dd").join("|")`)),
        /next or previous finding that differs from those of the selected message/,
      );
    });
    await withInspector(await pageOf(session, dap), async (evaluate) => {
      await evaluate(`press("End")`);
      assert.equal(await evaluate(`all(".row.selected")[0].dataset.row`), "10");
    });
  },
);

test("all parts of the page can be reached by keyboard", { skip }, async () => {
  await withInspector(await pageOf(session, dap), async (evaluate, send) => {
    const key = async (name: string, code = 0): Promise<void> => {
      const text = name.length === 1 ? { text: name } : {};
      await send("Input.dispatchKeyEvent", {
        type: "keyDown",
        key: name,
        windowsVirtualKeyCode: code,
        ...text,
      });
      await send("Input.dispatchKeyEvent", {
        type: "keyUp",
        key: name,
        windowsVirtualKeyCode: code,
      });
      await evaluate(`settled()`);
    };
    await key("j");
    await key("j");
    await key("ArrowDown", 40);
    assert.equal(await evaluate(`texts(".row.selected .what").join()`), "initialized");
    await key("n");
    assert.equal(await evaluate(`all(".row.selected")[0].dataset.row`), "6");
    await key("p");
    assert.equal(await evaluate(`all(".row.selected")[0].dataset.row`), "1");
    // Enter moves the focus to the finding's location.
    await key("Escape", 27);
    await key("End", 35);
    assert.equal(await evaluate(`all(".row.selected")[0].dataset.row`), "10");
    await key("Home", 36);
    await key("Enter", 13);
    assert.equal(await evaluate(`document.activeElement.getAttribute("role")`), "treeitem");
    await key("ArrowDown", 40);
    await key("ArrowLeft", 37);
    await key("ArrowLeft", 37);
    assert.deepEqual(await evaluate(`texts("[role=treeitem]")`), ["{ 4 }"]);
    await key("ArrowRight", 39);
    assert.equal(await evaluate(`all("[role=treeitem]").length`), 6);
    await key("Escape", 27);
    assert.equal(await evaluate(`document.activeElement.id`), "list");
    assert.equal(
      await evaluate(
        `document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).dataset.row`,
      ),
      "0",
    );
    await key("/");
    assert.equal(await evaluate(`document.activeElement.id`), "search");
    await key("t");
    assert.equal(await evaluate(`document.getElementById("search").value`), "t");
    await key("Escape", 27);
    await key("t");
    assert.equal(await evaluate(`texts("[role=tab][aria-selected=true]").join()`), "Timing");
    await key("?");
    assert.equal(await evaluate(`document.querySelector("dialog").open`), true);
    const documented = (await evaluate(`all("dialog kbd").length`)) as number;
    assert.ok(documented > 15, String(documented));
    await key("Escape", 27);
    assert.equal(await evaluate(`document.querySelector("dialog").open`), false);
  });
});
