import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openProtocol } from "../../cli/index.js";
import { withFolder } from "./compile.js";
import { forged } from "./forged-text.js";
import {
  setView,
  withPage,
  type Evaluate,
  type SendToPage,
  type View,
} from "./headless-browser.js";
import { recorded } from "./inspector-page.js";
import { dapRequest, dapResponse } from "./dap-messages.js";

export const dap = await openProtocol("dap", { version: "1.71.0" });

/** Helper functions for code that runs in the page. */
export const helpers = `
  globalThis.all = (selector) => [...document.querySelectorAll(selector)];
  globalThis.texts = (selector) => all(selector).map((each) => each.innerText.replace(/\\s+/g, " ").trim());
  globalThis.rows = () => all("#list [data-row]").map((each) => Number(each.dataset.row));
  globalThis.frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  globalThis.settled = async () => {
    // What a signal changes is drawn in the next frame, and what this brings into view in the one after.
    for (let count = 0; count < 4; count++) await frame();
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

export const wide: View = { width: 1400, height: 900, scheme: "light" };

export async function withInspector(
  html: string,
  use: (evaluate: Evaluate, send: SendToPage) => Promise<void>,
  { width, height, scheme }: View = wide,
): Promise<void> {
  await withFolder(async (folder) => {
    const file = join(folder, "page.html");
    writeFileSync(file, html);
    await withPage("about:blank#", async (evaluate, send) => {
      await setView(send, { width, height, scheme });
      await send("Page.navigate", { url: pathToFileURL(file).href });
      await isReady(evaluate);
      await evaluate(helpers);
      await use(evaluate, send);
    });
  });
}

export async function isReady(evaluate: Evaluate): Promise<void> {
  for (const from = Date.now(); ;) {
    if ((await evaluate(`document.documentElement?.dataset.ready === "yes"`)) === true) return;
    if (Date.now() - from > 30_000) throw new Error("The page does not open within 30 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const session = [
  recorded("client", 0, dapRequest(1, "initialize", { adapterID: "a" }), 1),
  recorded("adapter", 1.5, dapResponse(1, 1, "initialize", { supportsStepBack: "yes" }), 1),
  recorded("adapter", 2, { seq: 2, type: "event", event: "initialized" }, 1),
  recorded(
    "client",
    3,
    dapRequest(2, "launch", { program: "a.out", needle: 'in a "haystack"' }),
    1,
  ),
  recorded("client", 4, dapRequest(3, "threads"), 1),
  recorded("adapter", 1_304, dapResponse(3, 2, "launch"), 1),
  recorded("adapter", 1_305, dapResponse(4, 3, "threads", { threads: [{ id: 1, name: 7 }] }), 1),
  recorded(
    "adapter",
    1_400,
    { seq: 5, type: "event", event: "stopped", body: { reason: "step" } },
    1,
  ),
  recorded("client", 1_500, dapRequest(1, "initialize", { adapterID: "b" }), 2),
  recorded("client", 1_600, dapRequest(4, "evaluate", { expression: forged }), 1),
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
