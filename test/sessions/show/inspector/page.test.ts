import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { RecordingPage } from "../../../../sessions/show/inspector/recording-page.js";
import { judgeRecording } from "../../../../sessions/judge/judge-recording.js";
import { openRecording } from "../../../../sessions/read/recording.js";
import { withFolder } from "../../../support/compile.js";
import { skipWithoutBrowser as skip, withPage } from "../../../support/headless-browser.js";
import { pageOf, readPage, recorded } from "../../../support/inspector-page.js";
import { loggedSessions } from "../../../support/logged-sessions.js";
import { shared, skipWithout } from "../../../support/paths.js";
import { dap, helpers, withInspector, isReady, session } from "../../../support/inspector-view.js";

test(
  "the page shows, filters and searches messages, and its link reproduces the view",
  { skip },
  async () => {
    await withInspector(await pageOf(session, dap), async (evaluate, send) => {
      assert.deepEqual(await evaluate(`rows()`), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
      assert.equal(
        await evaluate(`texts("[data-row='5']").join()`),
        "1.6 1.304 adapter, response launch 2 1.30 s",
      );
      assert.equal(
        await evaluate(`getComputedStyle(all(".row.from-first .lane")[0], "::after").right`),
        "-2px",
      );
      await evaluate(`choose("Side", "1")`);
      assert.deepEqual(await evaluate(`rows()`), [1, 2, 5, 6, 7, 10]);
      await evaluate(`choose("Kind", "response")`);
      await evaluate(`choose("Session", "1")`);
      await evaluate(`choose("Response time", "1000")`);
      assert.deepEqual(await evaluate(`rows()`), [5, 6]);
      assert.equal(await evaluate(`location.hash`), "#side=1&kind=response&session=1&slow=1000");
      assert.equal(await evaluate(`texts(".count").join()`), "2 of 11");
      await evaluate(`tap("button", "Show all")`);
      assert.equal(await evaluate(`location.hash`), "");
      await evaluate(`type('"HAYstack"')`);
      assert.deepEqual(await evaluate(`rows()`), [3]);
      assert.equal(await evaluate(`location.hash`), "#find=%22HAYstack%22");
      await evaluate(`type("")`);
      await evaluate(`tap(".chip", "error")`);
      assert.deepEqual(await evaluate(`rows()`), [1, 6]);
      // Opening the link again restores the whole view.
      await evaluate(`tap("[data-row='6']")`);
      assert.equal(await evaluate(`location.hash`), "#m=1.7&severity=error");
      const address = await evaluate(`location.href`);
      await send("Page.navigate", { url: "about:blank" });
      await send("Page.navigate", { url: address });
      await isReady(evaluate);
      await evaluate(helpers);
      await evaluate(`settled()`);
      assert.deepEqual(await evaluate(`rows()`), [1, 6]);
      assert.equal(await evaluate(`texts("article h2").join()`), "response threads 3");
    });
  },
);

test(
  "the page links requests to responses, and findings to their locations",
  { skip },
  async () => {
    await withInspector(await pageOf(session, dap), async (evaluate) => {
      await evaluate(`tap("[data-row='4']")`);
      assert.equal(
        await evaluate(`texts("[role=treeitem]").join("|")`),
        '{ 3 }|seq: 3|type: "request"|command: "threads"',
      );
      assert.deepEqual(await evaluate(`all(".waiting").map((each) => each.dataset.row)`), [
        "4",
        "5",
        "6",
      ]);
      await evaluate(`tap("button", "Go to the response")`);
      assert.equal(await evaluate(`texts("article h2").join()`), "response threads 3");
      assert.deepEqual(
        await evaluate(`texts(".line.marked")`),
        ["name: 7 error schema.issue: expected a string, received 7"].map((text) => text),
      );
      await evaluate(`press("r")`);
      assert.equal(await evaluate(`texts("article h2").join()`), "request threads 3");
      await evaluate(`tap("[role=tab]", "Findings")`);
      await evaluate(`tap(".places .link", "/body/threads/0/name")`);
      assert.equal(await evaluate(`document.activeElement.title`), "/body/threads/0/name");
      assert.equal(await evaluate(`texts("[role=tab][aria-selected=true]").join()`), "Message");
      await evaluate(
        `new Promise((resolve) => { addEventListener("popstate", () => resolve(settled()), { once: true }); history.back(); })`,
      );
      assert.match(
        String(await evaluate(`texts("[role=tab][aria-selected=true]").join()`)),
        /^Findings/,
      );
      assert.equal(await evaluate(`location.hash`), "#m=1.5&panel=findings");
    });
  },
);

test(
  "the waterfall zooms and leads to messages, and the state panel follows the selected message",
  { skip },
  async () => {
    const numbers = `texts(".state section[aria-label='In flight'] b").join()`;
    await withInspector(await pageOf(session, dap), async (evaluate) => {
      const range = `texts(".fall figcaption > span").at(-1)`;
      assert.equal(await evaluate(range), "0.000 to 1.700 s, long waits shortened");
      await evaluate(`press("+")`);
      assert.equal(await evaluate(range), "0.660 to 1.506 s, long waits shortened");
      await evaluate(`press(">")`);
      assert.equal(await evaluate(range), "1.313 to 1.700 s, long waits shortened");
      await evaluate(`press("0")`);
      const at = (type: string, x: number, y: number): string =>
        `(() => { const c = all(".fall .lanes")[0], r = c.getBoundingClientRect(); c.dispatchEvent(new MouseEvent("${type}", { bubbles: true, clientX: r.left + ${x}, clientY: r.top + ${y} })); return settled(); })()`;
      // The second lane of session 1 shows `launch`, which took 1.3 s.
      await evaluate(at("mousemove", 400, 13 * 2 + 6));
      assert.match(String(await evaluate(`texts(".hovered").join()`)), /^1\.4 launch, 1\.30 s/);
      await evaluate(at("mousedown", 400, 13 * 2 + 6));
      await evaluate(at("mouseup", 400, 13 * 2 + 6));
      assert.equal(await evaluate(`location.hash`), "#m=1.4");
      await evaluate(`tap(".zoom button", "Selected")`);
      assert.equal(await evaluate(range), "0.000 to 1.700 s, long waits shortened");
      // Dragging selects a section of the timeline.
      await evaluate(at("mousedown", 300, 16));
      await evaluate(at("mousemove", 500, 16));
      await evaluate(at("mouseup", 500, 16));
      assert.match(String(await evaluate(range)), /^0\.4\d\d to 0\.8\d\d s, /);
      await evaluate(`press("s")`);
      assert.equal(await evaluate(`texts(".state h2").join()`), "After 1.4 launch");
      assert.equal(await evaluate(numbers), "launch");
      await evaluate(`press("j")`);
      assert.equal(await evaluate(`texts(".state h2").join()`), "After 1.5 threads");
      assert.equal(await evaluate(numbers), "launch,threads");
      await evaluate(`tap("[data-row='7']")`);
      assert.equal(
        await evaluate(`texts(".state .stops").join()`),
        "stopped all threads step #1.8",
      );
      await evaluate(`tap(".state .stops .link")`);
      assert.equal(await evaluate(`texts("[role=tab][aria-selected=true]").join()`), "State");
      await evaluate(`press("w")`);
      assert.equal(await evaluate(`all(".fall").length`), 0);
    });
  },
);

test("the page renders only the visible rows of a long recording", { skip }, async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) =>
    recorded("adapter", at, {
      seq: at + 1,
      type: "event",
      event: "output",
      body: { output: `line ${at}` },
    }),
  );
  await withInspector(await pageOf(lines, dap), async (evaluate) => {
    assert.ok(((await evaluate(`document.querySelectorAll("*").length`)) as number) < 1_500);
    await evaluate(
      `(async () => { const list = document.getElementById("list"); list.scrollTop = list.scrollHeight; await settled(); })()`,
    );
    assert.equal(await evaluate(`rows().at(-1)`), 19_999);
    await evaluate(`type("line 12345")`);
    assert.deepEqual(await evaluate(`rows()`), [12_345]);
    await evaluate(`tap("[data-row='12345']")`);
    assert.equal(await evaluate(`texts("mark").join()`), "line 12345");
    await evaluate(`type("")`);
    assert.ok(((await evaluate(`rows()`)) as number[]).includes(12_345), "it stays in sight");
  });
});

const recordings = [
  ...["debugpy", "lldb-dap-19", "mock-debug-crash", "rdbg"].map((name) => [
    `traces/${name}/out.bin`,
    `traces/${name}/in.bin`,
  ]),
  ...loggedSessions.map(({ name, file }) => [`logs/${name}/${file}`]),
];

test(
  "pages for real adapters and clients open and show every message",
  {
    skip: skip === false ? skipWithout("logs") || skipWithout("traces") : skip,
  },
  async () => {
    const pages = new Map<string, { readonly count: number; readonly path: string }>();
    await withFolder(async (folder) => {
      for (const [number, files] of recordings.entries()) {
        const recording = await openRecording(
          files.map((file) => ({ name: file, chunks: [readFileSync(shared(file)!)] })),
          dap,
        );
        const page = new RecordingPage(dap);
        let count = 0;
        const report = await judgeRecording(recording, dap, {
          name: files.join(" "),
          profile: "wire",
          host: undefined,
          severities: new Map(),
          viewer: {
            onEntry(entry, message) {
              count++;
              page.onEntry(entry, message);
            },
            onFinding: (finding) => page.onFinding(finding),
          },
        });
        const html = page.print(report, new Map(), recording);
        assert.equal(readPage(html).messages.length, count, files[0]);
        const path = join(folder, `${number}.html`);
        writeFileSync(path, html);
        pages.set(files[0]!, { count, path });
      }
      await withPage("about:blank#", async (evaluate, send) => {
        for (const [name, { count, path }] of pages) {
          await send("Page.navigate", { url: pathToFileURL(path).href });
          await isReady(evaluate);
          await evaluate(helpers);
          await evaluate(`tap("[role=tab]")`);
          await evaluate(
            `(async () => { const list = document.getElementById("list"); list.scrollTop = list.scrollHeight; await settled(); })()`,
          );
          assert.equal(await evaluate(`rows().at(-1)`), count - 1, name);
          await evaluate(`all("[data-row]").at(-1).click(); settled()`);
          assert.ok(((await evaluate(`all("[role=treeitem]").length`)) as number) > 1, name);
        }
      });
    });
  },
);
