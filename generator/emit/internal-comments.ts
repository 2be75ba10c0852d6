const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:async )?(const|function\*?|class|interface|type) (\w+)/;
const alias = /^export \{ (?:type )?(\w+) as (\w+) \};/;
const word = /[A-Za-z_$][\w$]*/g;
/** Matches a comment inside a declaration. Captures its indentation and the line after it. */
const inner = /^( +)(\/\*\*[^]*?\*\/|\/\/ .*)\n(?=(.*))/gm;

/** A statement at the top level of a module, or a comment above such a statement. */
interface Part {
  readonly text: string;
  /** Keyword of the declaration, such as `class`. `name` is the declared name. */
  readonly kind?: string;
  readonly name?: string;
}

/**
 * Removes comments that no user of a package sees from a module of the runtime. These are comments
 * inside code, and comments of names that the package does not export. Users see the members of a
 * type if an exported type mentions it.
 *
 * @param text A module as prettier formats it, with comments on separate lines.
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
 * Collects the names that a package's users can see: the exported names, and the types that their
 * declarations mention.
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
  // In a class, users see only the members that are not private.
  const isMember = (indentation: string, line: string): boolean =>
    kind === "class" && indentation.length === 2 && !/^ +(?:private|[a-z ]*#)/.test(line);
  return text.replace(inner, (comment: string, indentation: string, start: string, line: string) =>
    isSeen && start.startsWith("/**") && (isType(part) || isMember(indentation, line))
      ? comment
      : "",
  );
}
