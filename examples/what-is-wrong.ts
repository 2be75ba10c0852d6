/**
 * Finds the mistakes in a session between a client and an adapter by recording their messages and
 * checking the recording. Run it with `node build/examples/what-is-wrong.js`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnAdapter } from "@wirewright/dap/node";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const wirewright = path("../cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "session-"));

// wirewright tap --quiet --out session.jsonl -- node careless-adapter.js
const tap = [wirewright, "tap", "--quiet", "--out", "session.jsonl", "--"];
const notice = ({ code }: { readonly code: string }): void =>
  console.log(`The client noticed: ${code}`);
const { connection: client, exited } = await spawnAdapter(
  process.execPath,
  [...tap, process.execPath, path("./careless-adapter.js")],
  { process: { cwd: folder }, onProblem: notice },
);
await client.request("initialize", { adapterID: "careless" });
await client.request("launch", {});
await client.request("setBreakpoints", { source: { path: "/a" }, breakpoints: [{ line: 1 }] });
await client.request("configurationDone");
await client.request("threads").catch(notice);
await client.request("disconnect");
await exited;

// wirewright lint session.jsonl --host visual-studio
const lint = [wirewright, "lint", "session.jsonl", "--host", "visual-studio"];
spawnSync(process.execPath, lint, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
console.log(
  `\nTo look at the session:\nnpx wirewright view ${join(folder, "session.jsonl")} --open`,
);
