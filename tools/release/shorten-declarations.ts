export function exportAsTypes(code: string): string {
  return code.replaceAll(/^export \{ (?=.+ from )/gm, "export type { ");
}

/**
 * Exports names from the index as types if the types-only entry point also exports them, because a
 * declared enum is not a value there.
 */
export function exportTypesOf(types: string, index: string): string {
  const list = /^export \{ (.+) \} from '\.\/shared\.js';$/m;
  const named = new Set(list.exec(types)?.[1]?.split(", "));
  return index.replace(list, (_list, names: string) => {
    const all = names.split(", ");
    return [
      `export type { ${all.filter((name) => named.has(name)).join(", ")} } from './shared.js';`,
      `export { ${all.filter((name) => !named.has(name)).join(", ")} } from './shared.js';`,
    ].join("\n");
  });
}

export function indentWithTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/**
 * Moves exports from the lists at the end to the declarations, so that the long validator names are
 * not repeated.
 */
export function exportInPlace(code: string): string {
  const lists = /^export (type )?\{ (.+) \};$/gm;
  const listed = new Map<string, boolean>();
  for (const [, onlyType, names] of code.matchAll(lists))
    for (const name of names!.split(", ")) listed.set(name, onlyType !== undefined);
  const marked = new Set<string>();
  const declarations =
    /^(?:(declare (?:abstract )?(?:class|const|enum|function|namespace))|interface|type) ([\w$]+)/gm;
  const exported = code.replace(
    declarations,
    (declaration, value: string | undefined, name: string) => {
      const onlyType = listed.get(name);
      if (onlyType === undefined || (onlyType && value !== undefined)) return declaration;
      marked.add(name);
      return `export ${declaration}`;
    },
  );
  // Keep an empty list: without one, a module of declarations exports everything it declares.
  return exported.replace(lists, (_list, onlyType: string | undefined, names: string) => {
    const rest = names.split(", ").filter((name) => !marked.has(name));
    return `export ${onlyType ?? ""}{ ${rest.join(", ")} };`.replace("{  }", "{}");
  });
}
