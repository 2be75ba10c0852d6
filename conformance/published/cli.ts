/**
 * `node build/conformance/published/cli.js [-- NAME…]` tests all adapters and clients whose results are published, or
 * only those with the given names, and writes `conformance/results` and the pages. `-- --pages`
 * writes only the pages. The environment variable `WIREWRIGHT_ADAPTERS` names the folder into which
 * `conformance/adapters/install.ts` has installed the adapters.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFormat, readJsonText } from "wirewright";
import { readObject, readProject, suiteOf } from "../run/adapter-entry.js";
import { adapterResults, withEarlier, type AdapterResults } from "../report/adapter-results.js";
import { writeWhole } from "../report/write-reports.js";
import { runSuite } from "../run/run-suite.js";
import {
  capabilityTable,
  printCapabilitiesPage,
  printConformancePage,
  type Causes,
} from "./published-pages.js";
import { publishedClients, testClient } from "./run-clients.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const results = join(root, "conformance/results");
const printed = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Removes this machine's folder names from results. */
const portable = (value: unknown, installed: string): string =>
  printed(value)
    .replaceAll(root, "/project/")
    .replaceAll(builtPrograms, "/project")
    .replaceAll(resolve(installed), "/adapters");
const builtPrograms = new RegExp(`${tmpdir()}/wirewright-conformance-\\w+`, "g");

function readResults(folder: string): readonly AdapterResults[] {
  return readdirSync(join(results, folder))
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readResult(join(results, folder, name)));
}

function readResult(path: string): AdapterResults {
  const file = readJsonText(readFileSync(path, "utf8"), path);
  checkFormat(file, "conformance-results", "ERR_CONFIG");
  return file.value as unknown as AdapterResults;
}

function writePages(): void {
  const causes = readObject(join(root, "conformance/adapters/failures.json")) as Causes;
  const [adapters, clients] = [readResults("adapters"), readResults("clients")];
  writeWhole(join(root, "docs/conformance.md"), printConformancePage(adapters, clients, causes));
  writeWhole(join(root, "docs/capabilities.md"), printCapabilitiesPage(adapters));
  writeWhole(join(results, "capabilities.json"), printed(capabilityTable(adapters)));
}

const { WIREWRIGHT_ADAPTERS: installed } = process.env;
const names = process.argv.slice(2);
try {
  if (names[0] !== "--pages") {
    if (installed === undefined)
      throw new Error("WIREWRIGHT_ADAPTERS is not set: see CONTRIBUTING.md");
    const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);
    const recordings = join(root, "build/conformance-recordings");
    const versions = readObject(join(installed, "versions.json")) as Record<string, string>;
    for (const [name, stated] of readProject(join(root, "conformance/adapters/adapters.json"))) {
      if (!isWanted(name)) continue;
      const { [name]: version } = versions;
      const entry = version === undefined ? stated : { ...stated, version };
      const began = performance.now();
      const suite = await suiteOf(entry, { recordings: join(recordings, name) });
      const result = await runSuite(suite, { parallel: entry.parallel ?? 2 });
      const all = adapterResults(name, entry, suite.protocol.version, result);
      const path = join(results, "adapters", `${name}.json`);
      const dated = existsSync(path) ? withEarlier(all, readResult(path)) : all;
      writeWhole(path, portable(dated, installed));
      console.error(
        `${name}: ${JSON.stringify(all.counts)}, ${Math.round((performance.now() - began) / 1_000)} s`,
      );
    }
    const script = join(root, "conformance/published/clients/nvim-dap.lua");
    for (const client of publishedClients(join(installed, "src/nvim-dap"), script)) {
      if (!isWanted(client.name)) continue;
      const all = await testClient(client, { recordings: join(recordings, "clients") });
      writeWhole(join(results, "clients", `${client.name}.json`), portable(all, installed));
      console.error(`${client.name}: ${JSON.stringify(all.counts)}`);
    }
  }
  writePages();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
process.exit();
