import { apiModules, apiPackages } from "../api-reference.js";
import type { SitePage } from "./site-pages.js";
import { addressOf } from "./site-pages.js";

/** An entry of Starlight's sidebar. */
export type SidebarEntry =
  | string
  | { readonly label: string; readonly link: string }
  | {
      readonly label: string;
      readonly items: readonly SidebarEntry[];
      readonly collapsed?: boolean;
    };

/**
 * Returns the site's sidebar. Guides and reference pages have the groups and the order of the main
 * README.
 *
 * @param readme The text of the main README.
 * @param protocols The pages of each protocol. The first one is its overview.
 */
export function createSidebar(
  readme: string,
  protocols: readonly (readonly SitePage[])[],
  hasVersions: boolean,
): readonly SidebarEntry[] {
  return [
    ...readmeGroups(readme),
    {
      label: "Results",
      items: ["conformance", "benchmarks", "platforms", "capabilities"],
    },
    { label: "Protocols", items: protocols.map(protocolGroup) },
    {
      label: "API",
      items: [
        { label: "Overview", link: "/api/" },
        ...apiPackages.map((name) => ({
          label: name,
          collapsed: true,
          items: apiModules
            .filter((module) => module.package === name)
            .map(({ label, address }) => ({ label, link: `/${address}/` })),
        })),
      ],
    },
    { label: "Playground", link: "/playground/" },
    {
      label: "Project",
      items: ["architecture", "contributing", ...(hasVersions ? ["versions"] : [])],
    },
  ];
}

/** Returns the groups of pages that the README lists under "Documentation". */
function readmeGroups(readme: string): readonly SidebarEntry[] {
  const [, list = ""] = /^## Documentation\n([^]*?)^## /m.exec(readme) ?? [];
  return [...list.matchAll(/^- \*\*(.+?)\*\*: (.+)$/gm)].map(([, label, links]) => ({
    label: label!,
    items: [...links!.matchAll(/\]\(([^)#]+)\)/g)].map(([, path]) => addressOf(path!)!),
  }));
}

function protocolGroup(pages: readonly SitePage[]): SidebarEntry {
  const entries = pages.map(({ address, label, title, group = "" }) => ({
    group,
    entry: { label: label ?? title, link: `/${address}/` },
  }));
  const groups = [...new Set(entries.map(({ group }) => group))].filter((group) => group !== "");
  const itemsOf = (name: string): readonly SidebarEntry[] =>
    entries.filter(({ group }) => group === name).map(({ entry }) => entry);
  return {
    label: pages[0]!.title,
    collapsed: true,
    items: [
      ...itemsOf(""),
      ...groups.map((label) => ({ label, collapsed: true, items: itemsOf(label) })),
    ],
  };
}
