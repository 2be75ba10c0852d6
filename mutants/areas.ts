import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Names for groups of files, as regular expressions of paths. */
export const areas: Readonly<Record<string, RegExp>> = {
  decoders:
    /^runtime\/(frames\/(canonical-header|content-length|damaged-bodies|header-|length-header|line-decoder)|lanes\/pending-command|spellings\/(character|command|element-(?!writer)|start))/,
  bodies:
    /^runtime\/(base\/(byte-|string-builder)|dialects\/invalid-values|frames\/(async-streams|body-|collected-body|decoder-output|deferred-pushes|frame-decoder|peek)|json\/(body-|json-(depth|scan)))/,
  encoders:
    /^runtime\/(base\/(buffer-methods|own-fields|utf8-words)|frames\/frame-encoder|json\/json-(bytes|scalar|writer)|spellings\/element-writer)/,
  connections:
    /^runtime\/(base\/(fifo|promises|thrown|waiting-limits)|connection\/|lanes\/lane-|protocol\/capabilities)/,
  validation: /^runtime\/(protocol\/message-fields|validation\/)/,
  diff: /^generator\/diff\/(compare\/(?!rules)|verdicts|version-range|select-findings|accepted-findings|report\/group-findings|version-bump)/,
  lint: /^generator\/(lint\/(?!report)|session\/)/,
};

/** The files that arguments name: paths below the root, folders, or areas. */
export function chooseFiles(root: string, names: readonly string[]): readonly string[] {
  const all = ["runtime", "generator/diff", "generator/lint", "generator/session"].flatMap(
    (folder) => sourcesIn(root, folder),
  );
  const chosen = names.flatMap((name) => {
    const area = areas[name];
    const path = name.replace(/^\.\//, "").replace(/\/$/, "");
    if (area !== undefined) return all.filter((file) => area.test(file));
    if (path.endsWith(".ts") && existsSync(join(root, path))) return [path];
    const inside = existsSync(join(root, path)) ? sourcesIn(root, path) : [];
    if (inside.length > 0) return inside;
    throw new ArgumentError(
      `Cannot find "${name}": neither a file, a folder nor an area (${Object.keys(areas).join(", ")})`,
    );
  });
  return [...new Set(chosen)].sort();
}

export class ArgumentError extends Error {}

function sourcesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}
