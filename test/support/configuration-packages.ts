import { fromRoot } from "../../tools/shared/paths.js";

export const own = fromRoot("test/fixtures/configurations/keywords.package.json");
