export const repository = "https://github.com/wirewright/wirewright";

/** The path of the site's newest version on its host. */
export const newestBase = "/wirewright";

/**
 * The site's base path on its host: that of the newest version or, if the environment variable
 * `SITE_VERSION` is set to a version such as `0.1`, that of the given version.
 */
export const base: string = newestBase + folderOf(process.env.SITE_VERSION);

function folderOf(version: string | undefined): string {
  if (version === undefined || version === "") return "";
  if (/^\d+\.\d+$/.test(version)) return `/${version}`;
  throw new Error(`SITE_VERSION: expected a version such as 0.1, received ${version}`);
}
