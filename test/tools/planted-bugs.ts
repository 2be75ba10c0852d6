/** Fuzz targets with bugs planted in the code that they test. */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { instrument } from "../../tools/fuzz/instrument.js";
import { instrumentedFolder, plainFolder } from "../../tools/fuzz/instrumented-copy.js";
import { modulesOf } from "../../tools/fuzz/modules.js";
import type { Target } from "../../tools/fuzz/target.js";
import { headers } from "../../tools/fuzz/targets/headers.js";
import { session } from "../../tools/fuzz/targets/session.js";

/** The module that the targets load. */
const folders = ["runtime", "protocols/dap", "generated/dap"];

interface Bug {
  readonly name: string;
  readonly target: Target;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const bugs: readonly Bug[] = [
  {
    name: "two lengths in a header are accepted",
    target: headers,
    file: "runtime/frames/frame-header.js",
    from: "if (this.bodyLength >= 0 && this.bodyLength !== length)",
    to: "if (false)",
  },
  {
    name: "a cut is lost",
    target: session,
    file: "protocols/dap/session/snapshot-reader.js",
    from: "this.part.cut = count === undefined ? { reason } : { reason, count };",
    to: "if (count !== undefined) this.part.cut = { reason, count };",
  },
  {
    name: "nobody waits for a child",
    target: session,
    file: "protocols/dap/session/child-sessions.js",
    from: "const following = markHandled(runChild(childConnection, child));",
    to: "const following = undefined; runChild(childConnection, child);",
  },
];

function folderOf({ name }: Bug): URL {
  return new URL(`planted/${name.replaceAll(" ", "-")}/`, plainFolder);
}

/** Writes copies of the code, each with one bug. */
export function plantBugs(): void {
  for (const bug of bugs) {
    const { name, file, from, to } = bug;
    const source = readFileSync(new URL(file, plainFolder), "utf8");
    if (!source.includes(from)) throw new Error(`Cannot plant "${name}": ${file} has changed`);
    const copy = folderOf(bug);
    for (const folder of folders) {
      const to = new URL(folder, copy);
      cpSync(new URL(folder, instrumentedFolder), to, { recursive: true });
    }
    writeFileSync(new URL(file, copy), instrument(source.replace(from, to)));
  }
}

/** Targets that test the copies with planted bugs. */
export const targets: readonly Target[] = bugs.map((bug) => ({
  ...bug.target,
  name: bug.name,
  open: () => bug.target.open(modulesOf(folderOf(bug))),
}));
