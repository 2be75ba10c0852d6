/**
 * Renews the pictures of the guides and of the start page from the tool's output:
 * `node build/docs/site/pictures/take-pictures.js`. Needs Chromium for those of pages.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { spawnSync } from "node:child_process";
import { setView, withPage } from "../../../test/support/headless-browser.js";
import { fromRoot } from "../../../test/support/paths.js";
import { drawPictures } from "./drawings.js";

for (const [path, text] of drawPictures()) writeFileSync(fromRoot(path), text);

const folder = mkdtempSync(join(tmpdir(), "pictures-"));
const session = join(folder, "session.html");
const card = join(folder, "card.html");
const tool = (...args: readonly string[]): unknown =>
  spawnSync(process.execPath, [fromRoot("build/cli/main.js"), ...args], { stdio: "inherit" });
tool("view", fromRoot("docs/site/start/session.jsonl"), "--out", session);
const mark = pathToFileURL(fromRoot("docs/site/start/favicon.svg")).href;
writeFileSync(
  card,
  `<body style="margin:0;height:100vh;box-sizing:border-box;padding:72px;background:#111a33;color:#fff;font:600 76px/1.15 system-ui,sans-serif;display:flex;flex-direction:column;justify-content:space-between"><img src="${mark}" width="150" alt=""><div>wirewright<div style="font-weight:400;font-size:44px;color:#b3c8ff">Debug protocols, typed and checked</div></div></body>`,
);

/** A page to photograph, after a script has put it into the state to show. */
interface Picture {
  readonly page: string;
  readonly path: string;
  readonly theme: "light" | "dark";
  readonly size: readonly [width: number, height: number];
  readonly script?: string;
}

/** Selects the message with a finding, as a visitor does by clicking on the finding. */
const showFindings = `[...document.querySelectorAll("button, a")].find(({ textContent }) => /^Findings/.test(textContent.trim()))?.click()`;

const pictures: readonly Picture[] = [
  ...(["light", "dark"] as const).map((theme): Picture => ({
    page: session,
    path: `docs/site/start/session-${theme}.webp`,
    theme,
    size: [1280, 720],
    script: showFindings,
  })),
  { page: card, path: "docs/site/start/social-card.png", theme: "dark", size: [1200, 630] },
];

for (const { page, path, theme, size, script } of pictures)
  await withPage(pathToFileURL(page).href, async (evaluate, send) => {
    const [width, height] = size;
    await setView(send, { width, height, scheme: theme });
    if (script !== undefined) await evaluate(script);
    await evaluate("new Promise((resolve) => setTimeout(resolve, 500))");
    const { data } = await send("Page.captureScreenshot", {
      format: path.endsWith(".png") ? "png" : "webp",
      quality: 90,
    });
    writeFileSync(fromRoot(path), Buffer.from(data as string, "base64"));
  });
rmSync(folder, { recursive: true });
