/**
 * Generates code for DAP, and compiles programs that use it with TypeScript 5.9. wirewright writes a
 * package with a codec, validators and connections; protobuf-es writes types and a table for its
 * library; the others write types.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inPeers } from "../../test/support/paths.js";
import { Bench, type Competitor } from "./comparison.js";
import { generators, writeProject } from "./generators.js";

const bench = new Bench("generate");
const folder = mkdtempSync(join(tmpdir(), "wirewright-bench-"));
const generating: Record<string, Competitor> = {};
const compiling: Record<string, Competitor> = {};
try {
  for (const [name, generator] of Object.entries(generators)) {
    const out = join(folder, name.replaceAll(/\W/g, "-"), "written");
    mkdirSync(out, { recursive: true });
    await writeProject(out, generator);
    const written = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(package|tsconfig|openapi|use)\b/.test(entry.name))
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    bench.add("written", {
      work: name,
      figures: {
        files: written.length,
        kB: Math.round(written.reduce((sum, size) => sum + size, 0) / 1000),
      },
    });
    generating[name] = () => generator.write(out);
    compiling[name] = () => {
      const tsc = inPeers("typescript-5.9/bin/tsc");
      const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", out], {
        encoding: "utf8",
      });
      return { status, stdout };
    };
  }
  await bench.compare("generating", {
    work: "DAP",
    expected: undefined,
    competitors: generating,
    rounds: 3,
  });
  await bench.compare("compiling", {
    work: "a program that uses the code",
    expected: { status: 0, stdout: "" },
    competitors: compiling,
    rounds: 3,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await bench.finish();
