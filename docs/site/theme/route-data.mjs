import { defineRouteMiddleware } from "@astrojs/starlight/route-data";

const linksIn = (entry) =>
  entry.type === "link" ? [entry] : entry.entries.flatMap((each) => linksIn(each));

const isHere = (entry) => linksIn(entry).some(({ isCurrent }) => isCurrent);

/**
 * Shows a protocol's messages and types in the sidebar only next to its own pages, because they are
 * far more than all other pages. There, and in the API reference, the section is at the top.
 */
export const onRequest = defineRouteMiddleware(({ locals }) => {
  const { sidebar } = locals.starlightRoute;
  const protocols = sidebar.find(({ label }) => label === "Protocols");
  for (const protocol of protocols.entries) {
    if (isHere(protocol)) protocol.collapsed = false;
    else protocol.entries = protocol.entries.filter(({ type }) => type === "link");
  }
  const first = sidebar.find(
    (entry) => ["Protocols", "API"].includes(entry.label) && isHere(entry),
  );
  if (first !== undefined)
    locals.starlightRoute.sidebar = [first, ...sidebar.filter((entry) => entry !== first)];
});

/**
 * Returns the groups that contain the current page, from the outermost. A group whose first entry is
 * its overview links to it.
 */
export function trailOf(entries) {
  for (const group of entries) {
    if (group.type === "link" || !isHere(group)) continue;
    const [first] = group.entries;
    const href = first.label === "Overview" && !first.isCurrent ? first.href : undefined;
    return [{ label: group.label, href }, ...trailOf(group.entries)];
  }
  return [];
}
