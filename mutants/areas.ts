import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Names for groups of files, as regular expressions of paths. */
export const areas: Readonly<Record<string, RegExp>> = {
  decoders:
    /^runtime\/(announcement|character-references|command-|content-length|damaged-bodies|element-(?!writer)|header-|line-decoder|start-tag|usual-header|waiting-command)/,
  bodies:
    /^runtime\/(body-|byte-|collected-body|delivery|forgiving|frame-decoder|joined-text|json-(depth|scan)|peek|push-turns)/,
  encoders:
    /^runtime\/(element-writer|frame-encoder|json-(bytes|scalar|writer)|native-text|notation|utf8-words)/,
  connections:
    /^runtime\/(answered-request|capabilities|connection|conversation|event-listeners|fifo|frame-queue|incoming-bytes|lane-|message-maker|middleware-chain|node-|outgoing-messages|pending-requests|port-transport|process-ended|promises|request|stream-transport|thrown|transport|waiting-limits)/,
  validation: /^runtime\/validation/,
  diff: /^generator\/diff\/(compare-|variance|verdicts|same-structure|definition-pairs|version-range|select-findings|accepted-findings|group-findings|version-bump)/,
  lint: /^generator\/lint\/(?!report)/,
};

/** The files that arguments name: paths below the root, folders, or areas. */
export function chooseFiles(root: string, names: readonly string[]): readonly string[] {
  const all = ["runtime", "generator/diff", "generator/lint"].flatMap((folder) =>
    sourcesIn(root, folder),
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
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}
