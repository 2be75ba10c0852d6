/**
 * Checks that published schema revisions generate packages that compile. If `OFFICIAL_CLONES` names
 * a folder with clones of their repositories, all revisions are read, and refused ones are listed
 * with the reason.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { generate, InputError } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { sourceCompilers } from "../../support/compilers.js";
import { JointCompilation } from "../../support/joint-compilation.js";
import { isLong } from "../../support/long-tests.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";
import { spawnSync } from "node:child_process";

/** A protocol's schema in a repository. */
interface OfficialSchema {
  readonly repository: string;
  /** The files that together form a revision. */
  readonly files: readonly string[];
  /** Only one in this many revisions is read. */
  readonly step: number;
}

/** The contents of a schema's files at a commit. */
interface PastRevision {
  /** The commit's short id and the path of the first file. */
  readonly name: string;
  readonly texts: readonly string[];
}

const versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "draft"];

const officialSchemas: Readonly<Record<string, readonly OfficialSchema[]>> = {
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
function cloneOf(repository: string): string | undefined {
  const clone = join(process.env["OFFICIAL_CLONES"] ?? "", repository);
  return process.env["OFFICIAL_CLONES"] !== undefined && existsSync(clone) ? clone : undefined;
}

/** Lists a schema's revisions, newest first, with each content only once. */
function* revisionsOf({ repository, files, step }: OfficialSchema): Generator<PastRevision> {
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

/** A schema revision, which may consist of several files. */
interface Revision {
  readonly name: string;
  readonly schema: readonly string[];
}

/**
 * Lists the published revisions in a folder. For MCP, each file is a version. For the others, all
 * files together form one version.
 */
function publishedIn(folder: string, protocol: string): readonly Revision[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"))
    .sort()
    .map((name) => join(folder, name));
  return protocol === "mcp"
    ? files.map((path) => ({ name: basename(path, ".json"), schema: [path] }))
    : [{ name: "newest", schema: files }];
}

for (const protocol of ["mcp", "lsp", "cdp"])
  test(
    `packages generated from published revisions of ${protocol} compile`,
    { skip: skipWithout(`schemas/${protocol}`) },
    async () => {
      // The older compiler takes minutes, so only long test runs use it.
      const compilation = new JointCompilation(
        sourceCompilers.filter(({ version }) => version === "7" || isLong),
      );
      for (const { name, schema } of publishedIn(shared(`schemas/${protocol}`)!, protocol))
        await compilation.add(name, (await generate(protocol, { schema })).files);
      await compilation.end();
    },
  );

for (const [protocol, schemas] of Object.entries(officialSchemas)) {
  const missing = schemas.find(({ repository }) => cloneOf(repository) === undefined);
  const skip =
    missing !== undefined && `needs OFFICIAL_CLONES, a folder with a clone ${missing.repository}`;

  test(`all revisions of ${protocol} compile or are refused`, { skip }, async (t) => {
    const compilation = new JointCompilation(sourceCompilers);
    const refused: string[] = [];
    let count = 0;
    for (const { name, texts } of schemas.flatMap((schema) => [...revisionsOf(schema)])) {
      count++;
      const files = await withFolder(async (folder) => {
        const named = texts.map((text, index): [string, string] => [`${index}.json`, text]);
        writeFiles(folder, new Map(named));
        try {
          const schema = named.map(([file]) => join(folder, file));
          return (await generate(protocol, { schema })).files;
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          refused.push(`${name} ${error.place.pointer ?? ""}: ${error.message}`);
          return undefined;
        }
      });
      if (files !== undefined) await compilation.add(name, files);
    }
    await compilation.end();
    t.diagnostic(
      `${count} revisions: ${count - refused.length} compile as ${compilation.packages} packages, ${refused.length} are refused`,
    );
    const golden = fromRoot(`test/golden/refused-revisions/${protocol}.txt`);
    const text = refused.map((line) => `${line}\n`).join("");
    if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
}
