/**
 * Writes the normalised schema as types with typia tags, for `npm run generate` in the `typia`
 * folder.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fromRoot } from "../../test/support/paths.js";
import { definitions, translate, type Dialect } from "./schema-dialect.js";

const names = Object.keys(definitions);

function dialect(self: string): Dialect<string> {
  const number = (tag: string, least: number, greatest: number): string =>
    [
      "number",
      tag,
      ...(least === -Infinity ? [] : [`tags.Minimum<${least}>`]),
      ...(greatest === Infinity ? [] : [`tags.Maximum<${greatest}>`]),
    ]
      .filter((part) => part !== "")
      .join(" & ");
  return {
    any: () => "unknown",
    null: () => "null",
    boolean: () => "boolean",
    string: () => "string",
    number: (least, greatest) => number("", least, greatest),
    integer: (least, greatest) => number('tags.Type<"int64">', least, greatest),
    oneOf: (values) => values.map((value) => JSON.stringify(value)).join(" | "),
    list: (items) => `Array<${items}>`,
    map: (values) => `Record<string, ${values}>`,
    anyOf: (members) => members.map((member) => `(${member})`).join(" | "),
    object: (properties, required) =>
      properties.size === 0
        ? "object"
        : `{ ${[...properties].map(([key, type]) => `${JSON.stringify(key)}${required.has(key) ? "" : "?"}: ${type};`).join(" ")} }`,
    late: () => self,
  };
}

const types = names.map((name) => {
  const known = new Map(names.filter((each) => each !== name).map((each) => [each, each]));
  return `export type ${name} = ${translate(name, dialect(name), known)};`;
});
const checks = names.flatMap((name) => [
  `export const is${name} = typia.createIs<types.${name}>();`,
  `export const validate${name} = typia.createValidate<types.${name}>();`,
]);
const folder = fromRoot("tools/bench/typia/input");
mkdirSync(folder, { recursive: true });
writeFileSync(`${folder}/types.ts`, `import { tags } from "typia";\n\n${types.join("\n")}\n`);
writeFileSync(
  `${folder}/checks.ts`,
  `import typia from "typia";\nimport type * as types from "./types.js";\n\n${checks.join("\n")}\n`,
);
