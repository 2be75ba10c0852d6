import { namesIn } from "./merged-runtime.js";

const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(const|function\*?|class|interface|type) (\w+)/;
const alias = /^export \{ (?:type )?(\w+) as (\w+) \};$/;
const importList = /(import (?:type )?\{)([^}]*)(\} from "[^"]+";)/;
const word = /[A-Za-z_$][\w$]*/g;

/** A statement at the top of a module, with the comments above it. */
interface Part {
  /** The keyword of a declaration. */
  readonly kind?: string;
  readonly name?: string;
  readonly text: string;
}

/** The names of a module that matter. */
export interface ModuleUse {
  /** Names that other modules import. */
  readonly used: Iterable<string>;
  /** Names that the package exports, whose comments its users see. */
  readonly exported: Iterable<string>;
}

/**
 * Leaves out the declarations of a module of the runtime that nothing uses, and the comments that no user of a package
 * sees: those inside code, and those of names that the package does not export. Members of a type are seen where an
 * exported type names it.
 *
 * @param text A module as prettier formats it, with comments on lines of their own.
 */
export function trimModule(text: string, { used, exported }: ModuleUse): string {
  const [head, ...body] = text.split("\n");
  const parts = partsOf(body);
  const aliases = new Map(
    parts.flatMap((part) => {
      const [, own, other] = alias.exec(part.text.trim()) ?? [];
      return own === undefined ? [] : [[other!, own] as const];
    }),
  );
  const owned = (names: Iterable<string>): readonly string[] =>
    [...names].map((name) => aliases.get(name) ?? name);
  const isImport = (part: Part): boolean => part.text.trimStart().startsWith("import ");
  const roots = parts.filter((part) => part.name === undefined && !isImport(part));
  const needed = reached(parts, [...owned(used), ...roots.flatMap(wordsOf)]);
  const seen = reached(parts.filter(isType), owned(exported));
  const kept = parts.filter(({ name }) => name === undefined || needed.has(name));
  const words = new Set(kept.filter((part) => !isImport(part)).flatMap(wordsOf));
  return [
    head,
    ...kept.map((part) =>
      isImport(part) ? onlyImports(part.text, words) : withoutComments(part, seen),
    ),
  ].join("\n");
}

function isType({ kind }: Part): boolean {
  return kind === "interface" || kind === "type";
}

function wordsOf({ text }: Part): readonly string[] {
  return [...new Set(text.match(word))];
}

/** Splits a module after each statement, so that comments belong to what follows. */
function partsOf(lines: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  let own: string[] = [];
  const end = (): void => {
    const text = own.join("\n");
    const [, kind, name] = own.flatMap((line) => declaration.exec(line) ?? []);
    parts.push({ ...(name === undefined ? {} : { kind: kind!, name }), text });
    own = [];
  };
  for (const line of lines) {
    if (/^[a-z/]/.test(line) && own.some((each) => /^[a-z]/.test(each))) end();
    own.push(line);
  }
  end();
  return parts;
}

/** Names, and those that their declarations name. */
function reached(parts: readonly Part[], names: Iterable<string>): ReadonlySet<string> {
  const words = new Map<string, readonly string[]>();
  for (const part of parts)
    if (part.name !== undefined)
      words.set(part.name, [...(words.get(part.name) ?? []), ...wordsOf(part)]);
  const all = new Set(names);
  for (const name of all)
    for (const each of words.get(name) ?? []) if (words.has(each)) all.add(each);
  return all;
}

function onlyImports(text: string, words: ReadonlySet<string>): string {
  return text.replace(importList, (whole, open: string, list: string, close: string) => {
    const names = namesIn(list);
    const kept = names.filter((each) => words.has(each.replace(/^type /, "")));
    if (kept.length === names.length) return whole;
    return kept.length === 0
      ? ""
      : `${open}\n${kept.map((each) => `  ${each},\n`).join("")}${close}`;
  });
}

function withoutComments(part: Part, seen: ReadonlySet<string>): string {
  const isSeen = part.name !== undefined && seen.has(part.name);
  const kept: string[] = [];
  let docs: string[] = [];
  let isOpen = false;
  for (const line of part.text.split("\n")) {
    const code = line.trimStart();
    if (isOpen || code.startsWith("/**")) {
      docs.push(line);
      isOpen = !code.endsWith("*/");
    } else if (!code.startsWith("// ")) {
      if (isSeen && isPublic(part, code, line.length - code.length)) kept.push(...docs);
      docs = [];
      kept.push(line);
    }
  }
  return kept.join("\n");
}

/** Whether users see the comment above a line of a declaration: that of a type, or of a member that is not private. */
function isPublic(part: Part, line: string, depth: number): boolean {
  if (isType(part) || depth === 0) return true;
  return part.kind === "class" && depth === 2 && !/^(?:private|[a-z ]*#)/.test(line);
}
