import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Named groups of files, as path prefixes. A prefix that starts with "!" excludes files. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  decoders: [
    "runtime/frames/content-length",
    "runtime/frames/damaged-bodies",
    "runtime/frames/frame-header",
    "runtime/frames/length-header",
    "runtime/frames/line-decoder",
    "runtime/lanes/pending-commands",
    "runtime/spellings/",
    "!runtime/spellings/element-writer",
  ],
  bodies: [
    "runtime/base/byte-",
    "runtime/base/string-builder",
    "runtime/dialects/value-adapter",
    "runtime/frames/async-streams",
    "runtime/frames/body-",
    "runtime/frames/decoder-output",
    "runtime/frames/frame-decoder",
    "runtime/frames/peek",
    "runtime/json/json-scan",
  ],
  encoders: [
    "runtime/base/buffer-methods",
    "runtime/base/own-fields",
    "runtime/frames/frame-encoder",
    "runtime/spellings/element-writer",
  ],
  connections: [
    "runtime/base/errors",
    "runtime/base/fifo",
    "runtime/base/promises",
    "runtime/base/waiting-limits",
    "runtime/connection/",
    "runtime/lanes/lane-",
    "runtime/protocol/capabilities",
  ],
  validation: ["runtime/protocol/message-fields", "runtime/validation/"],
  diff: ["diff/", "!diff/compare/rules", "!diff/report/report-"],
  lint: ["sessions/judge/", "sessions/read/", "!sessions/judge/report"],
};

/**
 * Returns the files selected by command line arguments. An argument is a path relative to the root,
 * a folder, or an area.
 */
export function chooseFiles(root: string, names: readonly string[]): readonly string[] {
  const all = ["runtime", "diff", "sessions/judge", "sessions/read"].flatMap((folder) =>
    sourcesIn(root, folder),
  );
  const chosen = names.flatMap((name) => {
    const area = areas[name];
    const path = name.replace(/^\.\//, "").replace(/\/$/, "");
    if (area !== undefined) return all.filter((file) => isWithin(file, area));
    if (path.endsWith(".ts") && existsSync(join(root, path))) return [path];
    const inside = existsSync(join(root, path)) ? sourcesIn(root, path) : [];
    if (inside.length > 0) return inside;
    throw new ArgumentError(
      `Cannot find "${name}": neither a file, a folder nor an area (${Object.keys(areas).join(", ")})`,
    );
  });
  return [...new Set(chosen)].sort();
}

function isWithin(file: string, area: readonly string[]): boolean {
  const isNamed = area.some((start) => file.startsWith(start));
  const isLeftOut = area.some((start) => start.startsWith("!") && file.startsWith(start.slice(1)));
  return isNamed && !isLeftOut;
}

export class ArgumentError extends Error {}

function sourcesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("dist"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}
