import { newestBase } from "./addresses.js";
import type { SitePage } from "./site-pages.js";

/**
 * Creates the page that links to the documentation for each release, if there has been a release.
 *
 * @param changelog The text of CHANGELOG.md.
 */
export function versionList(changelog: string): SitePage | undefined {
  const released = [...changelog.matchAll(/^## (\d+\.\d+)\.\d+ \(\d{4}-\d\d-\d\d\)$/gm)];
  const minors = [...new Set(released.map(([, minor]) => minor!))];
  if (minors.length === 0) return undefined;
  const lines = [
    `- [Newest](${newestBase}/): the main branch`,
    ...minors.map((minor) => `- [${minor}](${newestBase}/${minor}/)`),
  ];
  return {
    address: "versions",
    title: "Versions of this site",
    description: "The documentation for each release",
    body: `The address of each page begins with the version of the tool that the page describes. Pages without a version in their address describe the main branch.\n\n${lines.join("\n")}\n`,
  };
}
