import { spawnSync } from "node:child_process";
import { markup } from "../../../generator/print/html-text.js";
import { fromRoot } from "../../../test/support/paths.js";
import type { Example } from "../protocol/example.js";
import { drawSequence } from "../protocol/sequence-picture.js";

/** Makes a drawing in the text colour a file that is readable on light and dark pages. */
const themed = (svg: string): string =>
  `${svg.replace(/^<svg /, '<svg xmlns="http://www.w3.org/2000/svg" ').replace(">", "><style>svg { color: #24292f; } @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } }</style>")}\n`;

const step = (from: string, kind: "request" | "response" | "event", name: string) => ({
  from,
  kind,
  name,
});

/** The start of a DAP session. The response to `launch` arrives last. */
const handshake: Example = [
  step("client", "request", "initialize"),
  step("adapter", "response", "initialize"),
  step("client", "request", "launch"),
  step("adapter", "event", "initialized"),
  step("client", "request", "setBreakpoints"),
  step("adapter", "response", "setBreakpoints"),
  step("client", "request", "configurationDone"),
  step("adapter", "response", "configurationDone"),
  step("adapter", "response", "launch"),
  step("adapter", "event", "stopped"),
];

/** Longer lines of running text are wrapped. */
const columns = 100;
const colours: Readonly<Record<string, string>> = {
  "31": "#ff8e8a",
  "33": "#e8b44c",
  "36": "#7cc7ff",
  "1": "#ffffff",
  "2": "#9aa4b2",
};

/** Draws a command and its output as a terminal shows them. */
function drawTerminal(command: string, output: string): string {
  const rows = [`\u001b[1m$ ${command}\u001b[0m`, "", ...output.trimEnd().split("\n")];
  const wrapped = rows.flatMap((row) =>
    row.includes("\u001b") ? [row] : (row.match(new RegExp(`.{1,${columns}}(?: |$)`, "g")) ?? [""]),
  );
  const height = wrapped.length * 18 + 32;
  const shown = wrapped.map((row) => row.replaceAll(/\u001b\[\d+m/g, "").length);
  const width = Math.ceil(Math.max(80, ...shown) * 7.25) + 40;
  const lines = wrapped.map((row, index) => {
    const parts = row.split(/\u001b\[(\d+)m/);
    const spans = parts.flatMap((text, part) =>
      part % 2 === 1 || text === ""
        ? []
        : [markup`<tspan fill="${colours[parts[part - 1] ?? ""] ?? "#d7dde5"}">${text}</tspan>`],
    );
    return markup`<text x="20" y="${32 + index * 18}" xml:space="preserve">${spans}</text>`;
  });
  const label = `The output of ${command}`;
  return `${markup`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12"><rect width="${width}" height="${height}" rx="10" fill="#171b22"/>${lines}</svg>`.toString()}\n`;
}

function runTool(...args: readonly string[]): string {
  const { stdout } = spawnSync(process.execPath, [fromRoot("build/cli/main.js"), ...args], {
    encoding: "utf8",
    cwd: fromRoot("docs/site/start"),
    env: { ...process.env, FORCE_COLOR: "1" },
  });
  return stdout;
}

/** Returns the text of each drawing by its path. They change only if the tool's output does. */
export function drawPictures(): ReadonlyMap<string, string> {
  const terminal = (name: string, ...args: readonly string[]): readonly [string, string] => [
    `docs/guides/images/${name}.svg`,
    drawTerminal(`npx wirewright ${args.join(" ")}`, runTool(...args)),
  ];
  return new Map([
    [
      "docs/guides/images/handshake.svg",
      themed(drawSequence(handshake, ["client", "adapter"]).toString()),
    ],
    terminal("lint", "lint", "session.jsonl"),
    terminal("diff", "diff", "dap@1.70.0", "dap@1.71.0"),
  ]);
}
