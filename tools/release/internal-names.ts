import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parse, type Node } from "acorn";
import { full } from "acorn-walk";

/** Short property names, by their names in the source. */
export type ShortNames = ReadonlyMap<string, string>;

const word = /[A-Za-z_$][\w$]*/g;

/**
 * Chooses short names for properties that are used only inside a package's code. Bundlers cannot
 * shorten property names, because they do not know which ones are public.
 *
 * A name is internal if it occurs nowhere else: not among the exports, in the package's or Node's
 * declarations, in a string in the code, or in one of the language's own objects. terser also
 * excludes names used by browsers.
 *
 * @param codes The modules of the package.
 * @param declarations All declarations of the package.
 */
export function shortNames(codes: readonly string[], declarations: readonly string[]): ShortNames {
  const declared = [...declarations, ...nodeDeclarations()].flatMap(wordsOf);
  const used = new Set([...declared, ...languageNames()]);
  const counts = new Map<string, number>();
  for (const code of codes)
    full(parse(code, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
      for (const text of textsOf(node)) for (const each of wordsOf(text)) used.add(each);
      const name = propertyOf(node);
      if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  const internal = [...counts]
    .filter(([name]) => name.length > 2 && !used.has(name))
    .sort(([a, times], [b, otherTimes]) => otherTimes - times || (a < b ? -1 : 1));
  const free = unusedNames(new Set([...used, ...counts.keys()]));
  return new Map(internal.map(([name]) => [name, free.next().value!]));
}

function wordsOf(text: string): readonly string[] {
  return text.replaceAll(/\/\*[^]*?\*\//g, "").match(word) ?? [];
}

/**
 * Returns the names of all properties built into the language: those of global objects, classes and
 * prototypes, and of regular expressions and their matches.
 */
function languageNames(): readonly string[] {
  const values = Object.getOwnPropertyNames(globalThis).map(
    (name) => (globalThis as Record<string, unknown>)[name] as { readonly prototype?: unknown },
  );
  return [...values, ...values.map((value) => value?.prototype), /./, /./d.exec(" ")]
    .filter((value) => Object(value) === value)
    .flatMap((value) => Object.getOwnPropertyNames(value));
}

/** Returns the declarations of Node's modules. */
function nodeDeclarations(): readonly string[] {
  const folder = dirname(createRequire(import.meta.url).resolve("@types/node/package.json"));
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
}

/**
 * Returns the string in a literal or template part, or the names of exports, because CommonJS
 * writes exports as properties.
 */
function textsOf(node: Node): readonly string[] {
  const { value, specifiers = [] } = node as {
    readonly value?: unknown;
    readonly specifiers?: readonly { readonly exported?: { readonly name: string } }[];
  };
  if (node.type === "Literal" && typeof value === "string") return [value];
  if (node.type === "TemplateElement") return [(value as { readonly raw: string }).raw];
  return specifiers.flatMap(({ exported }) => exported?.name ?? []);
}

/** Returns the name of the property that a node reads or defines. */
function propertyOf(node: Node): string | undefined {
  if (!/^(MemberExpression|Property|MethodDefinition|PropertyDefinition)$/.test(node.type))
    return undefined;
  const { computed, property, key } = node as {
    readonly computed?: boolean;
    readonly property?: Node;
    readonly key?: Node;
  };
  const named = (property ?? key) as Node & { readonly name?: string };
  return computed !== true && named.type === "Identifier" ? named.name : undefined;
}

function* unusedNames(used: ReadonlySet<string>): Generator<string, never> {
  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (
    let prefixes = [""];
    ;
    prefixes = prefixes.flatMap((each) => [...letters].map((letter) => each + letter))
  )
    for (const prefix of prefixes)
      for (const letter of letters) if (!used.has(prefix + letter)) yield prefix + letter;
}
