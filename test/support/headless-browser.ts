import { spawn, spawnSync } from "node:child_process";
import type { Readable, Writable } from "node:stream";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "chrome",
  "chromium-headless-shell",
];

/** The name of an installed Chromium, or undefined if there is none. */
export const browser: string | undefined = names.find(
  (name) => spawnSync(name, ["--version"], { timeout: 30_000 }).status === 0,
);

/** The reason for skipping a test that requires a browser, or false if a browser is installed. */
export const skipWithoutBrowser: string | false =
  browser === undefined ? `needs one of ${names.join(", ")}` : false;

/** Runs code in a page. @throws Error if the code throws. */
export type Evaluate = (code: string) => Promise<unknown>;

/** Calls a DevTools protocol method on a page. */
export type SendToPage = (method: string, params?: object) => Promise<Record<string, unknown>>;

/** Opens a page and passes functions that run code in it and control it. */
export async function withPage(
  url: string,
  use: (evaluate: Evaluate, send: SendToPage) => Promise<void>,
): Promise<void> {
  const child = spawn(
    browser!,
    ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true },
  );
  const [, , , input, output] = child.stdio as unknown as [0, 0, 0, Writable, Readable];
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop()!;
    for (const part of parts) {
      const { id, result = {} } = JSON.parse(part) as {
        id?: number;
        result?: Record<string, unknown>;
      };
      if (id !== undefined) waiting.get(id)?.(result);
    }
  });
  let last = 0;
  const call = (
    method: string,
    params: object = {},
    sessionId?: unknown,
  ): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      input.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
  try {
    const { targetId } = await call("Target.createTarget", { url });
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
    const evaluate = async (expression: string): Promise<unknown> => {
      const { result, exceptionDetails } = await call(
        "Runtime.evaluate",
        { expression, returnByValue: true, awaitPromise: true },
        sessionId,
      );
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      // While another page is still loading, the response is an error without a result.
      return (result as { value?: unknown } | undefined)?.value;
    };
    const loaded = `document.readyState === "complete" && location.href !== "about:blank"`;
    for (const from = Date.now(); (await evaluate(loaded)) !== true;) {
      if (Date.now() - from > 30_000) throw new Error(`Cannot load ${url} within 30 s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await use(evaluate, (method, params = {}) => call(method, params, sessionId));
  } finally {
    // Kill the process group, because the program may be a script that starts the browser, which
    // inherits the pipes.
    process.kill(-child.pid!, "SIGKILL");
    input.destroy();
    output.destroy();
  }
}

/** How a page is shown: the window's size in pixels, and the colour scheme. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
}

/** Changes how a page is shown. */
export async function setView(send: SendToPage, { width, height, scheme }: View): Promise<void> {
  await send("Emulation.setDeviceMetricsOverride", {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await send("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: scheme }],
  });
}
