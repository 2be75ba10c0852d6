import { satteri } from "@astrojs/markdown-satteri";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import starlightLinksValidator from "starlight-links-validator";
import { apiPackages } from "../../build/site/api-options.js";
import { base, newestBase, repository } from "../../build/site/pages/addresses.js";

/** Tables scroll sideways on narrow screens, so they must be reachable with the keyboard. */
const focusableTables = {
  name: "focusable-tables",
  element: {
    filter: ["table"],
    visit: (node, context) => context.setProperty(node, "tabIndex", 0),
  },
};

export default defineConfig({
  site: "https://wirewright.github.io",
  base,
  srcDir: ".",
  outDir: "../build/site-pages",
  markdown: { processor: satteri({ hastPlugins: [focusableTables] }) },
  integrations: [
    starlight({
      title: "wirewright",
      description:
        "Protocol code generator and typed message toolkit for debug and editor protocols",
      customCss: ["./site.css"],
      social: [{ icon: "github", label: "GitHub", href: repository }],
      plugins: [starlightLinksValidator({ exclude: [`${newestBase}/`, `${newestBase}/[0-9]*/`] })],
      sidebar: [
        { label: "Guides", items: [{ autogenerate: { directory: "guides" } }] },
        { label: "Reference", items: [{ autogenerate: { directory: "reference" } }] },
        {
          label: "API",
          items: apiPackages.map((name) => ({
            label: name === "wirewright" ? name : `@wirewright/${name}`,
            link: `/api/${name}/`,
          })),
        },
        {
          label: "Protocols",
          items: [
            "protocols/dap",
            { label: "DAP versions", link: "/protocols/dap/versions/" },
            "protocols/sqltools",
            "protocols/ruby-debug-ide",
            "protocols/acp-breakpoints",
          ],
        },
        { label: "Playground", link: "/playground/" },
        {
          label: "Project",
          items: [
            "changelog",
            "security",
            "platforms",
            "benchmarks",
            "architecture",
            "contributing",
            "versions",
          ],
        },
      ],
    }),
  ],
});
