export function exportAsTypes(code: string): string {
  return code.replaceAll(/^export \{ (?=.+ from )/gm, "export type { ");
}

/** Replaces the names of types in the index by a reference to the entry that exports the same. */
export function passOnTypes(index: string, types = ""): string {
  const list = /^export \{ (.+) \} from '\.\/shared\.js';$/m;
  const passed = list.exec(types)?.[1]!.split(", ");
  const all = list.exec(index)?.[1]!.split(", ");
  if (passed === undefined || all === undefined || !passed.every((name) => all.includes(name)))
    return index;
  const rest = all.filter((name) => !passed.includes(name)).join(", ");
  return index.replace(list, `export * from './types.js';\nexport { ${rest} } from './shared.js';`);
}

/** One statement declares the constants, or the checks of types, that follow one another without comments. */
export function declareTogether(code: string): string {
  let check = "Check";
  while (new RegExp(`\\b${check}\\b`).test(code)) check += "_";
  const checks = code.replaceAll(
    /(?:^export declare function \w+\(value: unknown\): value is .+;\n){2,}/gm,
    (functions) =>
      functions.replaceAll(
        /declare function (\w+)\(value: unknown\): value is (.+);/g,
        (_, name: string, type: string) => `declare const ${name}: ${check}<${type}>;`,
      ),
  );
  const alias = checks === code ? "" : `type ${check}<Type> = (value: unknown) => value is Type;\n`;
  return checks
    .replaceAll(/(?:^export declare const \w+: .+;\n){2,}/gm, (constants) =>
      constants.replaceAll(/;\nexport declare const /g, ",\n\t"),
    )
    .replace(/^(?!import )/m, alias);
}

export function indentWithTabs(code: string): string {
  return code.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

/** Moves exports from the lists at the end to the declarations, because names of validators are long. */
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
  // Without a list, a module of declarations exports all of them.
  return exported.replace(lists, (_list, onlyType: string | undefined, names: string) => {
    const rest = names.split(", ").filter((name) => !marked.has(name));
    return `export ${onlyType ?? ""}{ ${rest.join(", ")} };`.replace("{  }", "{}");
  });
}
