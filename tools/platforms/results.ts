/** The results of the latest `node build/tools/platforms/cli.js`. */
export interface PlatformResults {
  /** Results by host and by the way the package is loaded. */
  readonly hosts: { readonly [host: string]: { readonly [loader: string]: string } };
  /** Results by TypeScript version and program. */
  readonly types: { readonly [version: string]: { readonly [program: string]: string } };
  /** Findings from publint and "Are the types wrong?", by package. */
  readonly packages: { readonly [name: string]: readonly string[] };
}

/** The text of a cell where everything passes. */
export const passes = "passes";

/**
 * The text of a cell where the host does not support this way of loading, or the compiler does not
 * support the program.
 */
export const impossible = "–";

/** Returns the cells that report a failure. */
export function failuresOf({ hosts, types, packages }: PlatformResults): readonly string[] {
  const rows = Object.entries({ ...hosts, ...prefixed("TypeScript ", types) });
  return [
    ...rows.flatMap(([row, cells]) =>
      Object.entries(cells)
        .filter(([, text]) => text !== passes && text !== impossible)
        .map(([column, text]) => `${row}, ${column}: ${text}`),
    ),
    ...Object.entries(packages).flatMap(([name, findings]) =>
      findings.map((finding) => `${name}: ${finding}`),
    ),
  ];
}

function prefixed<Value>(
  prefix: string,
  values: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [prefix + key, value]));
}
