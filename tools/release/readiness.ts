/**
 * Returns the reasons why the working tree must not be published, or an empty array if it may be.
 */
export function unreadiness(
  version: string,
  { status, changelog }: { readonly status: string; readonly changelog: string },
): readonly string[] {
  const heading = new RegExp(`^## ${version.replaceAll(".", "\\.")} \\((.*)\\)$`, "m");
  const date = heading.exec(changelog)?.[1];
  return [
    ...(status.trim() === "" ? [] : ["git has uncommitted changes"]),
    ...(date === undefined
      ? [`CHANGELOG.md has no section for ${version}`]
      : /^\d{4}-\d{2}-\d{2}$/.test(date)
        ? []
        : [`CHANGELOG.md has no date for ${version}`]),
  ];
}
