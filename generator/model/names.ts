/**
 * Names that cannot be used for types: ECMAScript and TypeScript reserved words, and names of
 * built-in types.
 */
const reserved = new Set(
  (
    "abstract any as asserts async await bigint boolean break case catch class const continue debugger declare default " +
    "delete do else enum export extends false finally for from function get if implements import in infer instanceof " +
    "interface intrinsic is keyof let module namespace never new null number object of out override package private " +
    "protected public readonly require return satisfies set static string super switch symbol this throw true try " +
    "type typeof undefined unique unknown using var void while with yield arguments eval"
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

export function isReservedWord(name: string): boolean {
  return reserved.has(name);
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
