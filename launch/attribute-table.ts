import { InputError, nearest } from "../generator/base/input-error.js";
import { positionOf } from "../generator/read/source/json-text.js";
import {
  defaultText,
  type AnnotatedRules,
  type AnnotatedSchema,
  type AnnotatedSchemas,
} from "../generator/model/annotated-schema.js";
import {
  requestNames,
  type ConfigurationSet,
  type ConfigurationSource,
} from "./configuration-set.js";

/**
 * Matches `<!-- configuration: TYPE REQUEST -->`, the closing marker `<!-- /configuration -->`, and
 * the text in between.
 */
const marked =
  /(<!-- configuration: *(\S+) +(\S+) *-->\r?\n)([^]*?)(\r?\n?<!-- \/configuration -->)/g;

/**
 * Fills in the attribute tables between the markers on a page. Returns the updated page.
 * @throws InputError if the page has no markers, or has markers for a configuration that does not
 * exist.
 */
export function writeTables(page: string, path: string, source: ConfigurationSource): string {
  let count = 0;
  const written = page.replaceAll(
    marked,
    (
      whole,
      open: string,
      type: string,
      request: string,
      _old: string,
      close: string,
      offset: number,
    ) => {
      count++;
      const set = source.sets.find((each) => each.type === type && each.request === request);
      if (set !== undefined) {
        const eol = whole.includes("\r\n") ? "\r\n" : "\n";
        const table = attributeTable(set).join(eol);
        return `${open}${eol}${table}${eol}${eol}${close.trimStart()}`;
      }
      const known = source.sets.map((each) => `${each.type} ${each.request}`);
      const meant = nearest(`${type} ${request}`, known);
      throw new InputError(
        "ERR_OUTPUT",
        `Cannot find the attributes of "${type}" for "${request}"`,
        { file: path, ...positionOf(page, offset) },
        meant === undefined ? `Known: ${known.join(", ")}` : `Did you mean "${meant}"?`,
      );
    },
  );
  if (count > 0) return written;
  const [{ type }] = source.sets as [ConfigurationSet];
  throw new InputError(
    "ERR_OUTPUT",
    "Cannot find the table markers",
    { file: path },
    `Add the lines <!-- configuration: ${type} ${requestNames[0]} --> and <!-- /configuration -->`,
  );
}

/** Returns a set's attributes as the lines of a table, required attributes first. */
function attributeTable({ schema }: ConfigurationSet): readonly string[] {
  const { definitions = {}, required = [], properties = {} } = schema;
  const names = Object.keys(properties);
  const sorted = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ];
  const rows = sorted.map((name) => {
    const rules = resolved(properties[name]!, definitions);
    const { default: given, deprecated, docs = "" } = rules;
    const text = [
      ...(required.includes(name) ? ["Required."] : []),
      docs,
      ...(deprecated === undefined
        ? []
        : [`Deprecated${deprecated === "" ? "." : `: ${deprecated}`}`]),
    ];
    return [
      code(name),
      cell(typeText(rules, definitions)),
      given === undefined ? "" : code(defaultText(given)),
      cell(text.filter((each) => each !== "").join(" ")),
    ];
  });
  return aligned([["attribute", "type", "default", "description"], ...rows]);
}

/** Merges a schema with the definition that its `$ref` points to. */
function resolved(schema: AnnotatedSchema, definitions: AnnotatedSchemas): AnnotatedRules {
  if (typeof schema === "boolean") return {};
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const target = definitions[$ref];
  return typeof target === "object" ? { ...target, ...own } : own;
}

/** Describes a value's type in a few words. */
function typeText(rules: AnnotatedRules, definitions: AnnotatedSchemas): string {
  const listed = rules.const === undefined ? rules.enum : [rules.const];
  if (listed !== undefined) return listed.map((each) => code(JSON.stringify(each))).join(", ");
  const members = rules.anyOf ?? rules.oneOf;
  if (rules.type !== undefined)
    return rules.type
      .map((type) => {
        if (type !== "array" || rules.items === undefined) return type;
        const items = typeText(resolved(rules.items, definitions), definitions);
        return /^\w+$/.test(items) ? `${items}[]` : "array";
      })
      .join(" or ");
  if (members !== undefined)
    return [
      ...new Set(members.map((each) => typeText(resolved(each, definitions), definitions))),
    ].join(" or ");
  return "any";
}

function code(text: string): string {
  const fence = text.includes("`") ? "``" : "`";
  const pad = text.includes("`") ? " " : "";
  return cell(`${fence}${pad}${text}${pad}${fence}`);
}

/**
 * Puts text on a single line and escapes vertical bars and comment delimiters, so that it fits in a
 * table cell.
 */
function cell(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*\r?\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .replaceAll("<!--", "&lt;!--")
    .replaceAll("-->", "--&gt;");
}

/** Returns the lines of a table, aligned the way prettier would align them. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) =>
    Math.max(3, ...rows.map((row) => [...row[column]!].length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((each, column) => each + " ".repeat(widths[column]! - [...each].length)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)];
}
