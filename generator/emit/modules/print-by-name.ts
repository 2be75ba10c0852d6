import { quote, type SourceFile } from "../printer/source-file.js";

/**
 * Emits a `switch` that runs a statement for each value of a variable `name`. The emitted code
 * compares lengths first, so that it has to compare only a few names.
 *
 * @param statements Statements by name. Each statement must return.
 */
export function printByName(
  file: SourceFile,
  statements: readonly (readonly [name: string, statement: string])[],
): void {
  const byLength = new Map<number, (readonly [string, string])[]>();
  for (const each of statements) {
    const group = byLength.get(each[0].length);
    if (group === undefined) byLength.set(each[0].length, [each]);
    else group.push(each);
  }
  file.block("switch (name.length) {", "}", () => {
    for (const [length, group] of [...byLength].sort(([a], [b]) => a - b)) {
      file.line(`case ${length}:`);
      for (const [name, statement] of group)
        file.line(`  if (name === ${quote(name)}) ${statement}`);
      file.line("  break;");
    }
  });
}
