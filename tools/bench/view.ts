/**
 * Measures how long it takes to create the inspector page, to open it in headless Chromium, and to
 * scroll. `npm run bench -- view 1000,10000,100000` sets the message counts.
 * The session consists of stack traces and variables, at about 390 bytes per message. `open` is the
 * time from navigation until the first rows appear. Frame times are measured for two seconds,
 * during which the list scrolls by six rows per frame. A screen draws 60 frames per second.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readProtocol } from "../../cli/index.js";
import { readSessionRules } from "../../sessions/judge/session-rules.js";
import { RecordingPage } from "../../sessions/show/inspector/recording-page.js";
import { judgeRecording } from "../../sessions/judge/judge-recording.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { openRecording } from "../../sessions/read/recording.js";
import { browser, withPage, type Evaluate } from "../../test/support/headless-browser.js";
import { figureOf, type Bench } from "./report.js";

/** Yields the lines of a recording that repeats a stop with its stack and variables. */
export function* linesOf(count: number): Generator<string> {
  const seq = { client: 0, adapter: 0 };
  let time = 0;
  let left = count;
  let number = 7;
  const random = (): number => (number = (number * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const line = (from: "client" | "adapter", message: object): string => {
    time += random() * 2;
    const whole = { seq: ++seq[from], ...message };
    return `${JSON.stringify({ kind: "message", time: Number(time.toFixed(3)), from, message: whole })}\n`;
  };
  const ask = (command: string, args: object, body: object): string[] => {
    const asked = line("client", { type: "request", command, arguments: args });
    time += random() ** 3 * 200;
    return [
      asked,
      line("adapter", { type: "response", request_seq: seq.client, success: true, command, body }),
    ];
  };
  const tell = (event: string, body: object): string =>
    line("adapter", { type: "event", event, body });
  for (let stop = 1; ; stop++) {
    const stackFrames = Array.from({ length: 6 }, (_, at) => ({
      id: stop * 100 + at,
      name: `function ${at}`,
      line: at + 10,
      column: 1,
      source: { path: `/home/user/project/src/module${Math.floor(random() * 100)}.c` },
    }));
    const variables = Array.from({ length: 24 }, (_, at) => ({
      name: `value_${at}`,
      value: String(Math.floor(random() * 1e9)),
      variablesReference: 0,
    }));
    for (const text of [
      tell("stopped", { reason: "step", threadId: 1, allThreadsStopped: true }),
      ...ask("threads", {}, { threads: [{ id: 1, name: "main" }] }),
      ...ask("stackTrace", { threadId: 1 }, { stackFrames, totalFrames: 6 }),
      ...ask("scopes", { frameId: stop * 100 }, { scopes: [] }),
      ...ask("variables", { variablesReference: stop * 1_000 }, { variables }),
      tell("output", { category: "stdout", output: `line ${stop}\n` }),
      ...ask("next", { threadId: 1 }, {}),
    ]) {
      if (left-- === 0) return;
      yield text;
    }
  }
}

async function makePage(
  protocol: Protocol,
  count: number,
): Promise<{ html: string; bytes: number }> {
  let bytes = 0;
  function* chunks(): Generator<Uint8Array> {
    let text = "";
    const next = (): Uint8Array => {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      text = "";
      return chunk;
    };
    for (const line of linesOf(count)) {
      text += line;
      if (text.length > 256 * 1024) yield next();
    }
    yield next();
  }
  const recording = await openRecording([{ name: "x", chunks: chunks() }], protocol);
  const page = new RecordingPage(protocol);
  const report = await judgeRecording(recording, protocol, {
    name: "x",
    profile: "wire",
    host: undefined,
    severities: new Map(),
    rules: await readSessionRules(protocol.name),
    viewer: page,
  });
  return { html: page.print(report, new Map(), recording), bytes };
}

const scroll = `(async () => {
  const list = document.getElementById("list");
  const frames = [];
  let last = performance.now();
  const end = last + 2000;
  await new Promise((resolve) => {
    const step = (now) => {
      frames.push(now - last);
      last = now;
      list.scrollTop += 156;
      if (now < end) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  });
  frames.sort((a, b) => a - b);
  return [frames[frames.length >> 1], frames[Math.floor(frames.length * 0.95)]];
})()`;

const search = `(async () => {
  const field = document.getElementById("search");
  const begin = performance.now();
  field.value = "nothing has this text";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  while (!/^0 of/.test(document.querySelector(".count").innerText)) await new Promise((resolve) => setTimeout(resolve, 10));
  return performance.now() - begin;
})()`;

export const bench: Bench = async (report, { rounds, args }) => {
  if (browser === undefined) throw new Error("bench:view needs Chromium");
  const protocol = await readProtocol("dap");
  const counts = (args[0] ?? "1000,10000,100000").split(",").map(Number);
  const table = report.table("page", ["messages"], {
    recording: "MB",
    page: "MB",
    made: "ms",
    opened: "ms",
    searched: "ms",
    "frame, median": "ms",
    "frame, 95 %": "ms",
  });
  const folder = mkdtempSync(join(tmpdir(), "wirewright-"));
  try {
    for (const count of counts) {
      const began = performance.now();
      const { html, bytes } = await makePage(protocol, count);
      const made = performance.now() - began;
      const file = join(folder, `${count}.html`);
      writeFileSync(file, html);
      const times = await measure(pathToFileURL(file).href, Math.min(rounds, 5));
      table.row([count.toLocaleString("en")], {
        recording: figureOf([bytes / 1e6]),
        page: figureOf([html.length / 1e6]),
        made: figureOf([made]),
        opened: figureOf(times.map(({ opened }) => opened)),
        searched: figureOf(times.map(({ searched }) => searched)),
        "frame, median": figureOf(times.map(({ frames: [median] }) => median)),
        "frame, 95 %": figureOf(times.map(({ frames: [, most] }) => most)),
      });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Times {
  readonly opened: number;
  readonly searched: number;
  readonly frames: readonly [median: number, most: number];
}

async function measure(url: string, rounds: number): Promise<readonly Times[]> {
  const times: Times[] = [];
  await withPage("about:blank#", async (evaluate, send) => {
    await send("Emulation.setDeviceMetricsOverride", {
      width: 1400,
      height: 900,
      deviceScaleFactor: 1,
      mobile: false,
    });
    for (let round = 0; round <= rounds; round++) {
      await send("Page.navigate", { url: `${url}?${round}` });
      await isReady(evaluate);
      const opened = (await evaluate(
        `performance.getEntriesByName("wirewright-open")[0].startTime`,
      )) as number;
      const frames = (await evaluate(scroll)) as [number, number];
      const searched = (await evaluate(search)) as number;
      // The first page only warms up the browser.
      if (round > 0) times.push({ opened, searched, frames });
    }
  });
  return times;
}

async function isReady(evaluate: Evaluate): Promise<void> {
  while ((await evaluate(`document.documentElement?.dataset.ready === "yes"`)) !== true)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
