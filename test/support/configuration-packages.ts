import { fromRoot } from "./paths.js";

export const own = fromRoot("test/fixtures/configurations/keywords.package.json");
