import { readFileSync } from "node:fs";
import { satteri } from "@astrojs/markdown-satteri";
import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import starlightLinksValidator from "starlight-links-validator";
import { base, newestBase, repository } from "../../build/docs/site/pages/addresses.js";
import { searchRanking } from "../../build/docs/site/pages/search-words.js";

/**
 * Tables scroll sideways on narrow screens, so they must be reachable with the keyboard. The empty
 * cell in a table's corner is not the header of anything.
 */
const accessibleTables = {
  name: "accessible-tables",
  element: {
    filter: ["table", "th"],
    visit: (node, context) => {
      if (node.tagName === "table") context.setProperty(node, "tabIndex", 0);
      else if (node.children.length === 0) context.setProperty(node, "role", "cell");
    },
  },
};

const site = "https://wirewright.github.io";
const card = `${site}${base}/start/social-card.png`;

export default defineConfig({
  site,
  base,
  srcDir: "./theme",
  outDir: "../../build/site-pages",
  markdown: { processor: satteri({ hastPlugins: [accessibleTables] }) },
  integrations: [
    starlight({
      title: "wirewright",
      description:
        "Protocol code generator and typed message toolkit for debug and editor protocols",
      logo: { src: "./start/favicon.svg" },
      favicon: "/start/favicon.svg",
      head: [
        { tag: "meta", attrs: { property: "og:image", content: card } },
        { tag: "meta", attrs: { name: "twitter:card", content: "summary_large_image" } },
      ],
      pagefind: { ranking: searchRanking },
      customCss: ["./theme/site.css"],
      components: { PageTitle: "./theme/PageTitle.astro" },
      routeMiddleware: "./theme/route-data.mjs",
      social: [{ icon: "github", label: "GitHub", href: repository }],
      plugins: [
        starlightLinksValidator({
          exclude: [`${newestBase}/`, `${newestBase}/[0-9]*/`, `${base}/demo/`],
        }),
      ],
      sidebar: JSON.parse(
        readFileSync(new URL("../../build/site-sidebar.json", import.meta.url), "utf8"),
      ),
    }),
  ],
});
