import type { Draft } from "./description/draft.js";
import { mergeOverlay } from "./description/overlay.js";
import { beside, type OpenedDescription } from "./open-description.js";
import type { ReadOptions } from "./read-options.js";
import { readJsonInput, type InputOptions } from "./source/input-source.js";

/**
 * Lists the paths of all overlays, first those from the description, then those from its extension,
 * then those from the options.
 */
export function overlayPaths(
  { file, description, extension }: OpenedDescription,
  { overlays = [] }: ReadOptions,
): readonly string[] {
  const described = (description.overlays ?? []).map((name) => beside(file, name));
  const own = extension?.value.overlays.map((name) => beside(extension.file, name)) ?? [];
  return [...described, ...own, ...overlays];
}

/**
 * Merges overlays into a draft, in order. An overlay may add to definitions from an earlier one.
 */
export async function mergeOverlays(
  draft: Draft,
  paths: readonly string[],
  options: InputOptions,
): Promise<Draft> {
  const [path, ...others] = paths;
  if (path === undefined) return draft;
  const merged = mergeOverlay(draft, await readJsonInput(path, options));
  return mergeOverlays(merged, others, options);
}
