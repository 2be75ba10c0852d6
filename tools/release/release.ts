import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { packAll, type PackedPackage } from "./packages.js";
import { unreadiness } from "./readiness.js";
import { smokeTest } from "./smoke-test.js";

/**
 * Packs all packages, tries them in an empty project, and prints the files to publish. Without
 * `--dry-run`, also checks that the tree is ready for a release and prints the commands that
 * publish it. Never publishes anything itself.
 */
const root = fileURLToPath(new URL("../../../", import.meta.url));
const { values } = parseArgs({ options: { "dry-run": { type: "boolean" } } });
const isDryRun = values["dry-run"] === true;

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
};
const { version } = manifest;
const reasons = unreadiness(version, {
  status: execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }),
  changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
});
for (const reason of reasons) console.error(`Not ready to publish: ${reason}`);
if (reasons.length > 0 && !isDryRun) process.exit(1);

const packages = await packAll(join(root, "build/packages"));
const folder = mkdtempSync(join(tmpdir(), "wirewright-release-"));
try {
  const entries = smokeTest(packages, folder);
  console.log(`Installed, imported, required and compiled: ${entries.join(", ")}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const each of packages) console.log(summary(each));
console.log(
  isDryRun
    ? "\nNothing was published. Without --dry-run, this prints the commands that publish."
    : `\nNothing was published. To publish, tag the commit v${version} and run:\n`,
);
if (!isDryRun) for (const { tarball } of packages) console.log(`npm publish ${tarball}`);

function summary({ name, version, files, unpackedSize }: PackedPackage): string {
  return `${name}@${version}: ${files.length} files, ${Math.round(unpackedSize / 1000)} kB`;
}
