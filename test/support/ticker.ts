import { generate } from "../../cli/index.js";
import { loadPackage } from "./load-package.js";
import { fromRoot } from "./paths.js";

/** The exports of the package generated for the ticker, a small JSON-RPC protocol. */
export const ticker: Readonly<Record<string, any>> = await loadPackage(
  await generate(fromRoot("test/fixtures/ticker")),
);
