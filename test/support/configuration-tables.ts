import { Ajv } from "ajv";
import { fromRoot } from "./paths.js";

export const own = fromRoot("test/fixtures/configurations/keywords.package.json");

export function newAjv(options: object = {}): Ajv {
  return new Ajv({ strict: false, validateFormats: false, logger: false, ...options });
}
