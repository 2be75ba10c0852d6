import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { inPeers } from "./paths.js";

/** A program that runs JavaScript, or TypeScript, files. */
export interface Host {
  readonly name: string;
  /** The command and its first arguments. */
  readonly command: readonly string[];
  /** The reason for skipping tests that need it, or false if it is installed. */
  readonly skip: string | false;
}

const peer = inPeers("node/bin/node");

/** The Node versions that tests can use: the one that runs them, and a newer one. */
export const nodes: readonly Host[] = [
  { name: `Node ${process.versions.node}`, command: [process.execPath], skip: false },
  {
    name: "the Node in test/peers",
    command: [peer],
    skip: existsSync(peer) ? false : "needs npm ci --prefix test/peers",
  },
];

/** Programs that run TypeScript files without compiling them. */
export const typescriptHosts: readonly Host[] = [
  ...nodes.map((node) => ({ ...node, skip: node.skip || skipUnlessStripping(node) })),
  inPath("Deno", "deno", "run", "--no-prompt", "--node-modules-dir=manual"),
  inPath("Bun", "bun", "run"),
];

function skipUnlessStripping({ command }: Host): string | false {
  const { stdout } = spawnSync(command[0]!, ["-p", "process.features.typescript"], {
    encoding: "utf8",
  });
  return stdout.trim() === "strip" ? false : "needs Node 22.18 or later, which strips types";
}

function inPath(name: string, ...command: readonly string[]): Host {
  const isInstalled = spawnSync(command[0]!, ["--version"]).status === 0;
  return { name, command, skip: isInstalled ? false : `needs ${name}` };
}

/** Runs a file. Returns what it prints and, if it fails, its errors. */
export function runFile({ command }: Host, folder: string, file: string): string {
  const [program = "", ...args] = command;
  const { status, stdout, stderr } = spawnSync(program, [...args, file], {
    cwd: folder,
    encoding: "utf8",
    timeout: 120_000,
    // Keep Deno from checking for a newer version.
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
  });
  return status === 0 ? stdout : `${stdout}${stderr}`;
}
