// Links each workspace's `dist` to its part of `build/`, so that its package name resolves to the
// compiled code. Runs before the first build, which resolves package names itself.
import { lstatSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const builds = [
  ["runtime", "build/runtime"],
  ["conformance", "build/conformance"],
  // A protocol's package consists of generated and of hand-written code.
  ...readdirSync(join(root, "protocols"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [`protocols/${name}`, "build"]),
];

for (const [workspace, build] of builds) {
  const link = join(root, workspace, "dist");
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
  // Windows needs no privilege to create a junction, but junctions need absolute targets.
  const target = join(root, build);
  const isWindows = process.platform === "win32";
  symlinkSync(isWindows ? target : relative(dirname(link), target), link, "junction");
}
