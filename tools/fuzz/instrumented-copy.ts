import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { instrument } from "./instrument.js";

/** Compiled code to fuzz, relative to `build/`. */
const folders = [
  "runtime",
  "generated",
  "protocols",
  "generator",
  "diff",
  "sessions",
  "launch",
  "cli",
];

/** The folder of compiled code. */
export const plainFolder: URL = new URL("../../", import.meta.url);

/** The folder of the instrumented copy, which has the same layout. */
export const instrumentedFolder: URL = new URL("../../instrumented/", import.meta.url);

/** Brings the instrumented copy of the compiled code up to date. */
export function updateInstrumentedCopy(): void {
  const from = fileURLToPath(plainFolder);
  const to = fileURLToPath(instrumentedFolder);
  const instrumenter = readFileSync(new URL("./instrument.js", import.meta.url));
  for (const folder of folders) {
    for (const name of readdirSync(join(from, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".js")) continue;
      const source = readFileSync(join(from, folder, name), "utf8");
      const hash = createHash("sha256").update(instrumenter).update(source).digest("hex");
      const tail = `\n//# instrumented ${hash.slice(0, 16)}\n`;
      const path = join(to, folder, name);
      if (existsSync(path) && readFileSync(path, "utf8").endsWith(tail)) continue;
      mkdirSync(dirname(path), { recursive: true });
      // Another run may be reading the file, so replace it by renaming.
      const unfinished = `${path}.${process.pid}`;
      writeFileSync(unfinished, instrument(source) + tail);
      renameSync(unfinished, path);
    }
  }
}
