import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runFile, type Host } from "../hosts.js";
import { fromRoot, inPeers, skipWithoutPeer } from "../paths.js";
import { specifier, type Installed } from "./packed-app.js";

/** The hosts to try, with a reason to skip those that are missing. */
export const hosts: readonly Host[] = [
  { name: "Node", command: [process.execPath], skip: false },
  { name: "Bun", command: [inPeers(".bin/bun"), "run"], skip: skipWithoutPeer("bun") },
  {
    name: "Deno",
    command: [inPeers(".bin/deno"), "run", "--no-prompt", "--node-modules-dir=manual"],
    skip: skipWithoutPeer("deno"),
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
export function runSession(host: Host, app: string, loader: Loader): unknown {
  const output = runFile(host, app, loader === "ES modules" ? "main.mjs" : "main.cjs");
  try {
    return JSON.parse(output) as unknown;
  } catch {
    return output.trim().slice(0, 2_000);
  }
}
