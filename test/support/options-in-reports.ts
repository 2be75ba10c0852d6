/**
 * Lists the functions and methods in an API report that take options. Methods are written as
 * `Type.method`.
 */
export function withOptions(report: string): readonly string[] {
  const found: string[] = [];
  let type = "";
  for (const line of report.split("\n")) {
    const head = /^export (?:declare )?(?:class|interface|type|const|function) (\w+)/.exec(line);
    type = head?.[1] ?? type;
    if (!/\boptions\??: |\bOptions\b.*[)=]|: \w*Options\b.*\)/.test(line)) continue;
    if (/^\s+(static )?\[|^ {4}readonly /.test(line)) continue;
    const method = /^ {4}(\w+)[<(]/.exec(line)?.[1];
    found.push(method === undefined ? type : `${type}.${method}`);
  }
  return [...new Set(found)].sort();
}
