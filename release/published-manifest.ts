/** Fields that concern only the generated source. */
const sourceFields = [
  "type",
  "main",
  "types",
  "typesVersions",
  "exports",
  "files",
  "scripts",
  "devDependencies",
];

/**
 * The manifest of a package as it is published. `.js` and `.d.ts` are CommonJS, at the root of the package, so that
 * compilers that know no `exports` find each entry, too; `.mjs` and `.d.mts` are ES modules.
 *
 * @param manifest The manifest of the generated source.
 * @param entries Names of the entries, such as `index` and `node`.
 * @param codeOf The file with the code of an entry.
 */
export function publishedManifest(
  manifest: object,
  entries: readonly string[],
  codeOf: (entry: string) => string,
): object {
  const kept = Object.entries(manifest).filter(([field]) => !sourceFields.includes(field));
  return {
    ...Object.fromEntries(kept),
    type: "commonjs",
    main: "./index.js",
    module: "./index.mjs",
    types: "./index.d.ts",
    exports: {
      ...Object.fromEntries(
        entries.map((name) => [
          name === "index" ? "." : `./${name}`,
          {
            import: { types: `./${name}.d.mts`, default: `./${codeOf(name)}.mjs` },
            require: { types: `./${name}.d.ts`, default: `./${codeOf(name)}.js` },
          },
        ]),
      ),
      "./package.json": "./package.json",
    },
    files: ["*.js", "*.mjs", "*.d.ts", "*.d.mts"],
  };
}
