const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(const|function\*?|class|interface|type) (\w+)/;
const alias = /^export \{ (?:type )?(\w+) as (\w+) \};/;
const word = /[A-Za-z_$][\w$]*/g;
/**
 * Matches a comment inside a declaration, capturing its indentation and the line that follows it.
 */
const inner = /^( +)(\/\*\*[^]*?\*\/|\/\/ .*)\n(?=(.*))/gm;

/** A top-level statement in a module, or a comment above such a statement. */
interface Part {
  readonly text: string;
  /** The declaration's keyword, such as `class`. `name` is the name that it declares. */
  readonly kind?: string;
  readonly name?: string;
}

/**
 * Removes comments from a runtime module that users of a package never see: comments inside code,
 * and comments on names that the package does not export. Users do see a type's members if an
 * exported type mentions the type.
 *
 * @param text A module as formatted by Prettier, with comments on lines of their own.
 * @param exported Names that the package exports.
 */
export function withoutInternalComments(text: string, exported: Iterable<string>): string {
  const [head, ...rest] = text.split(/\n(?=\/|[a-z])/);
  const parts = rest.map((each): Part => {
    const [, kind, name] = declaration.exec(each) ?? [];
    return name === undefined ? { text: each } : { text: each, kind: kind!, name };
  });
  const seen = seenNames(parts, exported);
  const kept = parts.flatMap((part, index) => {
    if (!part.text.startsWith("/")) return [withoutInner(part, seen)];
    const above = parts[index + 1]?.name;
    return part.text.startsWith("/**") && above !== undefined && seen.has(above) ? [part.text] : [];
  });
  return [head, ...kept].join("\n");
}

/**
 * Collects the names that a package's users can see: the exported names, and the types mentioned in
 * their declarations.
 */
function seenNames(parts: readonly Part[], exported: Iterable<string>): ReadonlySet<string> {
  const types = new Map(parts.filter(isType).map(({ name, text }) => [name!, text]));
  const seen = new Set(exported);
  for (const { text } of parts) {
    const [, own, other] = alias.exec(text) ?? [];
    if (own !== undefined && seen.has(other!)) seen.add(own);
  }
  for (const name of seen)
    for (const each of (types.get(name) ?? "").match(word) ?? [])
      if (types.has(each)) seen.add(each);
  return seen;
}

function isType({ kind }: Part): boolean {
  return kind === "interface" || kind === "type";
}

function withoutInner(part: Part, seen: ReadonlySet<string>): string {
  const { text, kind, name } = part;
  if (!text.includes("//") && !text.includes("/**")) return text;
  const isSeen = name !== undefined && seen.has(name);
  // Users see only the non-private members of a class.
  const isMember = (indentation: string, line: string): boolean =>
    kind === "class" && indentation.length === 2 && !/^ +(?:private|[a-z ]*#)/.test(line);
  return text.replace(inner, (comment: string, indentation: string, start: string, line: string) =>
    isSeen && start.startsWith("/**") && (isType(part) || isMember(indentation, line))
      ? comment
      : "",
  );
}
