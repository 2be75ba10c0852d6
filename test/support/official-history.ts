/**
 * Reads revisions of official schemas from clones of their repositories. `OFFICIAL_CLONES` names
 * the folder that contains the clones.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** A protocol's schema in a repository. */
export interface OfficialSchema {
  readonly repository: string;
  /** The files that together form a revision. */
  readonly files: readonly string[];
  /** Only one in this many revisions is read. */
  readonly step: number;
}

/** The contents of a schema's files at a commit. */
export interface PastRevision {
  /** The commit's short id and the path of the first file. */
  readonly name: string;
  readonly texts: readonly string[];
}

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "draft"];

export const officialSchemas: Readonly<Record<string, readonly OfficialSchema[]>> = {
  lsp: [{ repository: "vscode-languageserver-node", files: ["protocol/metaModel.json"], step: 1 }],
  mcp: ["schema/schema.json", ...versions.map((version) => `schema/${version}/schema.json`)].map(
    (path) => ({ repository: "modelcontextprotocol", files: [path], step: 1 }),
  ),
  cdp: [
    {
      repository: "devtools-protocol",
      files: ["json/browser_protocol.json", "json/js_protocol.json"],
      step: 64,
    },
  ],
};

/** Returns the folder of a clone, or undefined if it does not exist. */
export function cloneOf(repository: string): string | undefined {
  const clone = join(process.env["OFFICIAL_CLONES"] ?? "", repository);
  return process.env["OFFICIAL_CLONES"] !== undefined && existsSync(clone) ? clone : undefined;
}

/** Lists a schema's revisions, newest first, with each content only once. */
export function* revisionsOf({ repository, files, step }: OfficialSchema): Generator<PastRevision> {
  const folder = cloneOf(repository)!;
  const [path] = files;
  const log = git(
    folder,
    "log",
    "--full-history",
    "-m",
    "--raw",
    "--no-abbrev",
    "--format=%H",
    "HEAD",
    "--",
    path!,
  );
  const seen = new Set<string>();
  let commit = "";
  for (const line of log.split("\n")) {
    const [, , , blob = "", state = ""] = line.split(/\s/);
    if (!line.startsWith(":")) commit = line === "" ? commit : line;
    else if (!state.startsWith("D") && !seen.has(blob)) {
      seen.add(blob);
      if ((seen.size - 1) % step !== 0) continue;
      const texts = files.map((file) => git(folder, "show", `${commit}:${file}`));
      yield { name: `${commit.slice(0, 10)}:${path!}`, texts };
    }
  }
}

function git(folder: string, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync("git", ["--git-dir", folder, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}
