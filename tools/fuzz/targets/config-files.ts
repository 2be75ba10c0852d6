import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Modules, type Target } from "../target.js";
import { type Generator, refusable } from "./refusable.js";

/** Loads those functions of a command that read a file at a given path. */
async function fileReaders(
  modules: Modules,
): Promise<readonly ((path: string) => Promise<unknown>)[]> {
  const { readProjectFile } =
    await modules<typeof import("../../../cli/project-file.js")>("cli/project-file.js");
  const { readHost } = await modules<typeof import("../../../sessions/judge/host-table.js")>(
    "sessions/judge/host-table.js",
  );
  const { check } = await modules<
    typeof import("../../../generator/read/description/check-file.js")
  >("generator/read/description/check-file.js");
  const { readJsonInput } = await modules<
    typeof import("../../../generator/read/source/input-source.js")
  >("generator/read/source/input-source.js");
  return [
    readProjectFile,
    (path) => readHost(path, "dap"),
    async (path) => check(await readJsonInput(path), "accept", "ERR_CONFIG"),
  ];
}

export const config: Target = {
  name: "config",
  about: "the readers for project files, host tables and accepted findings",
  format: "json",
  mostMs: 400,
  work: { base: 3_000_000, perByte: 20_000 },
  tokens: [
    "packages",
    "protocol",
    "out",
    "schema",
    "version",
    "overlays",
    "runtime",
    "package",
    "since",
    "accept",
    "id",
    "at",
    "reason",
    "until",
    "name",
    "title",
    "outcomes",
    "severity",
    "docs",
    "rules",
    "outcome",
    "message",
    "test",
    "anyOf",
    "entities",
    "begins",
    "ends",
    "present",
    "is",
    "dap",
    "../x",
    "/",
    "error",
    "warning",
    "info",
    "numbers",
    "least",
    "greatest",
    "undecidable",
  ],
  seeds: () => [
    JSON.stringify({
      packages: [
        { protocol: "dap", out: "a" },
        { protocol: "b", out: "c" },
      ],
    }),
    JSON.stringify({
      packages: [
        { protocol: "dap", out: "a", version: "1.71.0", overlays: ["o.json"], package: "@a/b" },
      ],
    }),
    JSON.stringify({ accept: [{ rule: "prop.removed-optional", at: "A.b", reason: "c" }] }),
    JSON.stringify({
      name: "mine",
      title: "Mine",
      outcomes: { dies: { severity: "error", docs: "It dies." } },
      rules: [
        {
          id: "mine.rule",
          outcome: "dies",
          docs: "A rule.",
          message: "stopped",
          test: { "body/threadId": { present: true, is: [1] } },
        },
      ],
    }),
  ],
  async open(modules) {
    const readers = await fileReaders(modules);
    const generator = await modules<Generator>("cli/index.js");
    const folder = mkdtempSync(join(tmpdir(), "wirewright-fuzz-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "input.json");
    return {
      async check(input) {
        writeFileSync(path, input);
        for (const read of readers)
          await refusable(generator, async () => {
            await read(path);
          });
      },
    };
  },
};
