/**
 * Tries the packages on every host and with every compiler, and writes the results:
 * `node build/tools/platforms/cli.js`.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { completeProtocols } from "../../test/support/bundled-protocols.js";
import { browser, skipWithoutBrowser } from "../../test/support/headless-browser.js";
import { fromRoot } from "../../test/support/paths.js";
import { runInBrowser } from "./browser-session.js";
import { checkTarball } from "./check-package.js";
import {
  checkTypes,
  createApp,
  packedPrograms,
  sourcePrograms,
  writePrograms,
  writeSources,
  type App,
} from "./check-types.js";
import { compilers, isInstalled } from "../../test/support/compilers.js";
import { installedHosts, loaders, runSession, writeSession } from "./hosts.js";
import { packAll } from "./packed-app.js";
import { failuresOf, impossible, passes, type PlatformResults } from "./results.js";

const tarballs: string[] = [];
for (const protocol of completeProtocols)
  if (protocol !== "acp")
    for (const { tarball } of await packAll(protocol, fromRoot("build/platforms")))
      tarballs.push(tarball);
const app = createApp(tarballs);
const sources = createApp([]);
try {
  const packages: Record<string, readonly string[]> = {};
  for (const { name, tarball } of app.packages) packages[name] = await checkTarball(tarball);
  const results: PlatformResults = {
    packages,
    hosts: await tryHosts(app),
    types: await tryTypes(),
  };
  writeFileSync(
    fromRoot("tools/platforms/results.json"),
    `${JSON.stringify(results, undefined, 2)}\n`,
  );
  const failures = failuresOf(results);
  console.log(failures.length === 0 ? "All platforms pass" : failures.join("\n"));
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  for (const { folder } of [app, sources]) rmSync(folder, { recursive: true, force: true });
}

async function tryHosts({ folder, packages }: App): Promise<PlatformResults["hosts"]> {
  writeSession(
    folder,
    packages.find(({ name }) => name === "@wirewright/dap")!,
  );
  const expected = JSON.parse(
    readFileSync(fromRoot("test/golden/platform-session.json"), "utf8"),
  ) as unknown;
  const judge = (session: unknown): string =>
    isDeepStrictEqual(session, expected) ? passes : `differs: ${JSON.stringify(session)}`;
  const hosts: Record<string, Record<string, string>> = {};
  for (const host of installedHosts()) {
    const cells: Record<string, string> = (hosts[host.name] = {});
    for (const loader of loaders)
      cells[loader] =
        typeof host.command === "string" ? host.command : judge(runSession(host, folder, loader));
    console.log(host.name, cells);
  }
  hosts["Chromium"] = {};
  if (browser === undefined) hosts["Chromium"]["page"] = String(skipWithoutBrowser);
  else
    for (const [realm, session] of Object.entries((await runInBrowser(folder)).sessions))
      hosts["Chromium"][realm] = judge(session);
  console.log("Chromium", hosts["Chromium"]);
  return hosts;
}

async function tryTypes(): Promise<PlatformResults["types"]> {
  await writePrograms(app);
  await writeSources(sources);
  const types: Record<string, Record<string, string>> = {};
  for (const compiler of compilers) {
    const found = isInstalled(compiler)
      ? {
          ...checkTypes(compiler, app, packedPrograms),
          ...checkTypes(compiler, sources, sourcePrograms),
        }
      : { all: "is not installed in tools/platforms" };
    types[compiler.version] = Object.fromEntries(
      Object.entries(found).map(([name, complaints]) => [
        name,
        complaints === undefined ? impossible : complaints === "" ? passes : complaints,
      ]),
    );
    console.log(`TypeScript ${compiler.version}`, types[compiler.version]);
  }
  return types;
}
