import { escapeText, visible } from "../../base/visible-text.js";
import { docTag, formatDocs, type DocParagraph } from "./doc-comment.js";
import { template } from "./template.js";

/** Line width of generated TypeScript. */
export const lineWidth = 100;

/**
 * A TypeScript module that is being printed.
 *
 * Takes care of the header, indentation, line width, doc comments and imports. Modules that people
 * read must be formatted as Prettier would format them. Modules with tables and checks need not be.
 */
export class SourceFile {
  readonly #header: string;
  readonly #specifierOf: (module: string) => string;
  readonly #references: string[] = [];
  readonly #imports = new Map<string, Imports>();
  readonly #lines: string[] = [];
  #depth = 0;

  /**
   * @param header Text of the comment on the first line. It is escaped so that it cannot extend
   * beyond that line.
   * @param specifierOf Returns the specifier under which to import a module.
   */
  constructor(header: string, specifierOf = (module: string): string => module) {
    this.#header = visible(header);
    this.#specifierOf = specifierOf;
  }

  /** The modules that this module imports or re-exports. */
  get modules(): readonly string[] {
    return [...this.#imports.keys()];
  }

  /** Width of the current indentation, in columns. */
  get indent(): number {
    return this.#depth * 2;
  }

  /**
   * Prints one line at the current indentation. If the text has several lines, they keep their
   * indentation relative to each other.
   */
  line(text = ""): void {
    for (const part of text.split("\n"))
      this.#lines.push(part === "" ? "" : " ".repeat(this.indent) + part);
  }

  /**
   * Prints a template of code, and an empty line after it. A doc comment takes one line in the
   * template, along with its `@throws` and `@param`, and is wrapped.
   */
  code(...given: Parameters<typeof template>): void {
    for (const line of template(...given).split("\n")) this.#codeLine(line);
    this.line();
  }

  #codeLine(line: string): void {
    const [, margin, text] = /^( *)\/\*\* (.*) \*\/$/.exec(line) ?? [];
    if (margin === undefined || text === undefined) {
      this.line(line);
      return;
    }
    const [description, ...tags] = text.split(/ ?@(?=throws |param )/);
    const tagged = tags.map((each) => {
      const [tag, ...words] = each.split(" ");
      return docTag(tag as "throws" | "param", words.join(" "));
    });
    for (const each of formatDocs(
      [description, ...tagged],
      lineWidth - this.indent - margin.length,
    ))
      this.line(margin + each);
  }

  /**
   * Adds a reference to the declarations in `@types/NAME`, because a program may have this package
   * installed without listing it in its compiler settings.
   */
  referTo(name: string): void {
    this.#references.push(`/// <reference types="${name}" preserve="true" />`, "");
  }

  /**
   * Prints a heading, such as an `if` with its condition, and the only statement under it, on one
   * line if they fit.
   */
  under(head: string, statement: string): void {
    const flat = `${head} ${statement}`;
    const margin = " ".repeat(head.length - head.trimStart().length);
    this.line(this.#fits(flat) ? flat : `${head}\n${margin}  ${statement}`);
  }

  /** Prints `open`, then the lines of `inside` one level deeper, then `close`. */
  block(open: string, close: string, inside: () => void): void {
    this.line(open);
    this.#depth++;
    inside();
    this.#depth--;
    this.line(close);
  }

  /** Prints a doc comment, or nothing if there is no text. */
  doc(...paragraphs: readonly (DocParagraph | undefined)[]): void {
    for (const line of formatDocs(paragraphs, lineWidth - this.indent)) this.line(line);
  }

  /** Prints `export type name = member | member;`. */
  union(name: string, members: readonly string[]): void {
    this.unionUnder(`export type ${name} =`, members);
  }

  /** Prints a union after a heading such as `readonly name:`. */
  unionUnder(head: string, members: readonly string[]): void {
    const flat = members.length === 0 ? "never" : members.join(" | ");
    if (this.#fits(`${head} ${flat};`)) this.line(`${head} ${flat};`);
    else if (this.#fits(`  ${flat};`)) this.line(`${head}\n  ${flat};`);
    else this.line(`${head}\n${members.map((each) => `  | ${each}`).join("\n")};`);
  }

  /**
   * Prints a declaration that has parameters and a block. If the parameters do not fit on one line,
   * each gets a line of its own.
   */
  declare(before: string, parameters: readonly string[], after: string, inside: () => void): void {
    this.block(this.signature(before, parameters, after), "}", inside);
  }

  /** Returns the first line of such a declaration, or its first lines. */
  signature(before: string, parameters: readonly string[], after: string): string {
    const [open, close] = after.startsWith(")")
      ? ["(", ""]
      : parameters.length > 0
        ? ["<", ">"]
        : ["", ""];
    const flat = `${before}${open}${parameters.join(", ")}${close}${after}`;
    const lines = `${before}${open}\n${parameters.map((each) => `  ${each},`).join("\n")}\n${close}${after}`;
    return parameters.length === 0 || this.#fits(flat) ? flat : lines;
  }

  /**
   * Prints `before`, a list of items, and `after`. If the items do not fit on one line, each gets a
   * line of its own.
   */
  list(before: string, items: readonly string[], after: string, pad = ""): void {
    this.line(this.listed(before, items, after, pad));
  }

  /** Returns such lines. @param margin Width of their indentation within the current one. */
  listed(before: string, items: readonly string[], after: string, pad = "", margin = 0): string {
    const flat = `${before}${pad}${items.join(", ")}${pad}${after}`;
    return this.#fits(" ".repeat(margin) + flat)
      ? flat
      : `${before}\n${items.map((each) => `  ${each},`).join("\n")}\n${after}`;
  }

  /**
   * Prints `head<Argument, Argument>;`. If it does not fit on one line, each argument gets a line
   * of its own, and so does each member of a union that is longer than a line.
   */
  typeArguments(head: string, given: readonly string[]): void {
    const flat = `${head}<${given.join(", ")}>;`;
    if (this.#fits(flat)) {
      this.line(flat);
      return;
    }
    const lines = given.map((each) =>
      this.#fits(`  ${each},`) ? `  ${each}` : `  | ${each.replaceAll(" | ", "\n  | ")}`,
    );
    this.line(`${head}<\n${lines.join(",\n")}\n>;`);
  }

  /** Re-exports all of a module. @param keyword `export` or `export type`. */
  exportAll(keyword: string, from: string): void {
    this.#importFrom(from);
    this.line(`${keyword} * from ${quote(this.#specifierOf(from))};`);
  }

  /** Re-exports names from a module. @param keyword `export` or `export type`. */
  exportNames(keyword: string, names: readonly string[], from: string): void {
    this.#importFrom(from);
    this.list(`${keyword} {`, names, `} from ${quote(this.#specifierOf(from))};`, " ");
  }

  /** Imports a type and returns its name in this module. */
  importType(name: string, from: string): string {
    this.#importFrom(from).types.add(name);
    return name;
  }

  /** Imports a value and returns its name in this module. */
  importValue(name: string, from: string): string {
    this.#importFrom(from).values.add(name);
    return name;
  }

  /** Imports all of a module's types as a namespace, and returns the namespace's name. */
  importTypesAs(namespace: string, from: string): string {
    this.#importFrom(from).namespace = `type * as ${namespace}`;
    return namespace;
  }

  toString(): string {
    const body = this.#lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    const imports = [...this.#imports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([from, entry]) => printImport(this.#specifierOf(from), entry));
    return [
      `// ${this.#header}`,
      "",
      ...this.#references,
      ...(imports.length === 0 ? [] : [...imports, ""]),
      body,
      "",
    ].join("\n");
  }

  #fits(text: string): boolean {
    return this.indent + text.length <= lineWidth;
  }

  #importFrom(from: string): Imports {
    let entry = this.#imports.get(from);
    if (entry === undefined) {
      entry = { types: new Set(), values: new Set() };
      this.#imports.set(from, entry);
    }
    return entry;
  }
}

/** The names that one module imports from another. */
interface Imports {
  readonly types: Set<string>;
  readonly values: Set<string>;
  /** Set if all exports are imported as a namespace, for example with `* as types`. */
  namespace?: string;
}

function printImport(from: string, { types, values, namespace }: Imports): string[] {
  const source = quote(from);
  const lines = namespace === undefined ? [] : [`import ${namespace} from ${source};`];
  if (types.size + values.size === 0) return lines;
  const mark = values.size > 0 ? "type " : "";
  const names = [...[...values].sort(), ...[...types].sort().map((name) => `${mark}${name}`)];
  const keyword = values.size > 0 ? "import" : "import type";
  return [...lines, ...importLines(keyword, names, from)];
}

/** Formats a named import. If the names do not fit on one line, each gets a line of its own. */
export function importLines(
  keyword: string,
  names: readonly string[],
  from: string,
): readonly string[] {
  const end = `} from ${quote(from)};`;
  const flat = `${keyword} { ${names.join(", ")} ${end}`;
  return flat.length <= lineWidth
    ? [flat]
    : [`${keyword} {`, ...names.map((name) => `  ${name},`), end];
}

/** Formats a string as a TypeScript string literal, escaping invisible characters. */
export function quote(text: string): string {
  const quoted = escapeText(JSON.stringify(text));
  // Like Prettier, prefer the quotes that require fewer escapes.
  const doubles = text.split('"').length - 1;
  const singles = text.split("'").length - 1;
  return doubles > singles
    ? `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : quoted;
}

/** Formats a string, number or boolean as a literal. */
export function printValue(value: string | number | boolean): string {
  return typeof value === "string" ? quote(value) : String(value);
}

/** Formats a property name for a type or a binding, quoting it only if necessary. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) && name !== "__proto__" ? name : quote(name);
}

/**
 * Formats a key for an object literal. `__proto__` becomes a computed key, because it would
 * otherwise set the prototype.
 */
export function literalKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : propertyKey(name);
}

/** Returns `object.name` or `object["na-me"]`. */
export function member(object: string, name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
    ? `${object}.${name}`
    : `${object}[${quote(name)}]`;
}
