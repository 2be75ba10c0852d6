import { existsSync } from "node:fs";
import { skipWithoutBrowser } from "../../support/headless-browser.js";
import { fromRoot } from "../../support/paths.js";

export { serveSite } from "../../../docs/site/serve-site.js";

/** The reason for skipping a test that needs the built site, or false if the test can run. */
export const skipWithoutSite: string | false =
  skipWithoutBrowser ||
  (existsSync(fromRoot("build/site-pages/index.html")) ? false : "needs npm run site");
