/** Names that ECMAScript reserves in modules. */
const keywords = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static " +
    "super switch this throw true try typeof undefined var void while with yield arguments eval"
  ).split(" "),
);

/** Names that TypeScript gives a meaning in types, which variables can have. */
const typeWords = new Set(
  (
    "abstract any as asserts async bigint boolean declare from get infer intrinsic is keyof module namespace never number " +
    "object of out override readonly require satisfies set string symbol type unique unknown using"
  ).split(" "),
);

const unseen = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Returns whether a name can be used for a type or function. Rejects invisible letters, which
 * ECMAScript allows.
 */
export function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !unseen.test(name);
}

/** Returns whether a name cannot be used for a variable. */
export function isKeyword(name: string): boolean {
  return keywords.has(name);
}

/** Returns whether a name cannot be used for a type. */
export function isReservedWord(name: string): boolean {
  return keywords.has(name) || typeWords.has(name);
}

/** Returns a name that is not taken: the given one, or the first with a number that is not. */
export function freeName(name: string, taken: Pick<ReadonlySet<string>, "has">): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}${count}`)) count++;
  return `${name}${count}`;
}

/** Converts `textDocument/didOpen` to `TextDocumentDidOpen`. */
export function pascalCase(name: string): string {
  return name
    .split(/(?:[^\p{ID_Continue}$]|\p{Default_Ignorable_Code_Point})+/u)
    .filter((part) => part !== "")
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join("");
}

/** Converts `text-document` to `textDocument`. */
export function camelCase(name: string): string {
  const pascal = pascalCase(name);
  return pascal === "" ? "" : pascal[0]!.toLowerCase() + pascal.slice(1);
}
