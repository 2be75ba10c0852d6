import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, inPeers } from "../paths.js";
import { specifier, type Installed } from "./packed-app.js";

/** A program that runs JavaScript files. */
export interface Host {
  readonly name: string;
  /** The package in `test/peers` that it comes with. */
  readonly peer?: string;
  /** The command and its first arguments. */
  readonly command: readonly string[];
}

/** The hosts to try. Other versions of Node run these tests themselves. */
export const hosts: readonly Host[] = [
  { name: "Node", command: [process.execPath] },
  { name: "Bun", peer: "bun", command: [inPeers(".bin/bun"), "run"] },
  {
    name: "Deno",
    peer: "deno",
    command: [inPeers(".bin/deno"), "run", "--no-prompt", "--node-modules-dir=manual"],
  },
];

/** The ways in which a host can load a package. */
export const loaders = ["ES modules", "CommonJS"] as const;

export type Loader = (typeof loaders)[number];

/** Writes the session program into an application that has the package installed. */
export function writeSession(app: string, dap: Installed): void {
  const entries = dap.entries.filter((entry) => !/node|types|compatibility/.test(entry));
  const session = readFileSync(fromRoot("build/test/support/platforms/session.js"), "utf8");
  writeFileSync(join(app, "session.mjs"), session);
  const names = entries.map((_, index) => `entry${index}`);
  const imports = entries.map(
    (entry, index) => `import * as entry${index} from ${JSON.stringify(specifier(dap, entry))};`,
  );
  writeFileSync(
    join(app, "dap.mjs"),
    [...imports, `export const dap = { ...${names.join(", ...")} };`, ""].join("\n"),
  );
  writeFileSync(
    join(app, "main.mjs"),
    `import { dap } from "./dap.mjs";
import { run } from "./session.mjs";
console.log(JSON.stringify(await run(dap)));
`,
  );
  const requires = entries.map((entry) => `...require(${JSON.stringify(specifier(dap, entry))})`);
  writeFileSync(
    join(app, "main.cjs"),
    `const dap = { ${requires.join(", ")} };
import("./session.mjs").then(async ({ run }) => console.log(JSON.stringify(await run(dap))));
`,
  );
}

/** Runs the session program. Returns its result, or the reason why it failed. */
export function runSession({ command }: Host, app: string, loader: Loader): unknown {
  const [program, ...args] = command;
  const file = loader === "ES modules" ? "main.mjs" : "main.cjs";
  const { stdout, stderr, error } = spawnSync(program!, [...args, file], {
    cwd: app,
    encoding: "utf8",
    timeout: 120_000,
    // Keep Deno from checking for a newer version.
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  });
  if (error !== undefined) return error.message;
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    return `${stdout}${stderr}`.trim().slice(0, 2_000);
  }
}
