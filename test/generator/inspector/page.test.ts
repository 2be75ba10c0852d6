import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { readProtocol } from "../../../generator/index.js";
import { RecordingPage } from "../../../generator/inspector/inspect-recording.js";
import { judgeRecording } from "../../../generator/lint/judge-recording.js";
import { openRecording } from "../../../generator/session/recording.js";
import { withFolder } from "../../../tools/shared/compile.js";
import { forged } from "../../support/forged-text.js";
import {
  skipWithoutBrowser as skip,
  withPage,
  type Evaluate,
  type SendToPage,
} from "../../../tools/shared/headless-browser.js";
import { pageOf, readPage, recorded } from "../../support/inspector-page.js";
import { loggedSessions } from "../../support/logged-sessions.js";
import { shared, skipWithout } from "../../../tools/shared/paths.js";

const dap = await readProtocol("dap", { version: "1.71.0" });

/** Functions for the code that runs in the page. */
const helpers = `
  globalThis.all = (selector) => [...document.querySelectorAll(selector)];
  globalThis.texts = (selector) => all(selector).map((each) => each.innerText.replace(/\\s+/g, " ").trim());
  globalThis.rows = () => all("#list [data-row]").map((each) => Number(each.dataset.row));
  globalThis.frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  globalThis.settled = async () => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    await frame();
    await frame();
    // The message that is chosen is read first.
    for (let tries = 0; tries < 200 && all("article").length > all("[role=tree]").length; tries++) await frame();
  };
  globalThis.press = async (key) => {
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await settled();
  };
  globalThis.choose = async (label, value) => {
    const field = all("select").find((each) => each.getAttribute("aria-label") === label);
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    await settled();
  };
  globalThis.type = async (text) => {
    const field = document.getElementById("search");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    while (all(".count").some((each) => each.innerText.startsWith("searching"))) await frame();
    await settled();
  };
  globalThis.tap = async (selector, text = "") => {
    all(selector).find((each) => each.innerText.includes(text)).click();
    await settled();
  };
  null`;

interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
}
const wide: View = { width: 1400, height: 900, scheme: "light" };
const narrow: View = { width: 400, height: 800, scheme: "light" };

async function withInspector(
  html: string,
  use: (evaluate: Evaluate, send: SendToPage) => Promise<void>,
  { width, height, scheme }: View = wide,
): Promise<void> {
  await withFolder(async (folder) => {
    const file = join(folder, "page.html");
    writeFileSync(file, html);
    await withPage("about:blank#", async (evaluate, send) => {
      await send("Emulation.setDeviceMetricsOverride", {
        ...{ width, height, deviceScaleFactor: 1, mobile: false },
      });
      await send("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      });
      await send("Page.navigate", { url: pathToFileURL(file).href });
      await isReady(evaluate);
      await evaluate(helpers);
      await use(evaluate, send);
    });
  });
}

async function isReady(evaluate: Evaluate): Promise<void> {
  for (const from = Date.now(); ;) {
    if ((await evaluate(`document.documentElement?.dataset.ready === "yes"`)) === true) return;
    if (Date.now() - from > 30_000) throw new Error("The page does not open within 30 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const ask = (seq: number, command: string, args?: object): object => ({
  ...{ seq, type: "request", command },
  arguments: args,
});
const answer = (seq: number, request: number, command: string, body?: object): object => ({
  ...{ seq, type: "response", request_seq: request, success: true, command, body },
});

const session = [
  recorded("client", 0, ask(1, "initialize", { adapterID: "a" }), 1),
  recorded("adapter", 1.5, answer(1, 1, "initialize", { supportsStepBack: "yes" }), 1),
  recorded("adapter", 2, { seq: 2, type: "event", event: "initialized" }, 1),
  recorded("client", 3, ask(2, "launch", { program: "a.out", needle: 'in a "haystack"' }), 1),
  recorded("client", 4, ask(3, "threads"), 1),
  recorded("adapter", 1_304, answer(3, 2, "launch"), 1),
  recorded("adapter", 1_305, answer(4, 3, "threads", { threads: [{ id: 1, name: 7 }] }), 1),
  recorded(
    "adapter",
    1_400,
    { seq: 5, type: "event", event: "stopped", body: { reason: "step" } },
    1,
  ),
  recorded("client", 1_500, ask(1, "initialize", { adapterID: "b" }), 2),
  recorded("client", 1_600, ask(4, "evaluate", { expression: forged }), 1),
  recorded(
    "adapter",
    1_700,
    {
      seq: 6,
      type: "response",
      request_seq: 4,
      success: false,
      command: "evaluate",
      message: forged,
      [forged]: forged,
    },
    1,
  ),
];

test(
  "the page shows, filters and searches, and its link says what it shows",
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
      await evaluate(`choose("Time to answer", "1000")`);
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
      // The link brings everything back.
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
  "the page leads from requests to answers, and from findings to their places and back",
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
      await evaluate(`tap("button", "Go to the answer")`);
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
        `new Promise((resolve) => { addEventListener("popstate", () => setTimeout(resolve, 100), { once: true }); history.back(); })`,
      );
      assert.match(
        String(await evaluate(`texts("[role=tab][aria-selected=true]").join()`)),
        /^Findings/,
      );
      assert.equal(await evaluate(`location.hash`), "#m=1.5&panel=findings");
    });
  },
);

test("everything is reached by keys", { skip }, async () => {
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
    // The place of the finding has the focus.
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

test(
  "nothing foreign is markup, is run or is invisible, and nothing is requested",
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
      recorded("client", 0, ask(1, hostile, { [hostile]: hostile, list: [hostile] })),
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
      // The policy refuses what the page could be made to ask for.
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

test("of many messages the document has only those that are seen", { skip }, async () => {
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
  "pages of real adapters and clients open and show every message",
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
          ...{ name: files.join(" "), profile: "wire", host: undefined, severities: new Map() },
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

test("a narrow page has one panel at a time, and nothing is wider than it", { skip }, async () => {
  await withInspector(
    await pageOf(session, dap),
    async (evaluate) => {
      for (const tab of ["Messages", "Message", "Findings", "Timing"]) {
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
});

for (const scheme of ["light", "dark"] as const)
  for (const view of [wide, narrow])
    test(`axe finds nothing serious: ${scheme}, ${view.width} pixels`, { skip }, async () => {
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
          for (const tab of ["Findings", "Timing"]) {
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
