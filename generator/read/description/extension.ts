import type { Extension } from "./description-types.js";
import type { Draft } from "./draft.js";

/**
 * Applies an extension to a draft: replaces the description's name, title and package, and adds the
 * dialects.
 */
export function addExtension(draft: Draft, extension: Extension | undefined): Draft {
  if (extension === undefined) return draft;
  const { name, title, package: packageName, packageVersion, dialects } = extension;
  const { description } = draft;
  return {
    ...draft,
    description: {
      ...description,
      name,
      title,
      package: packageName,
      packageVersion,
      dialects: { ...description.dialects, ...dialects },
    },
  };
}
