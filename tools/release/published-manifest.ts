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

/** The code of entry points with only types: empty, in both module systems. */
export const emptyFile = "types.js";

/**
 * The published manifest of a package. `.js` and `.d.ts` are CommonJS, at the root of the package,
 * so that compilers without support for `exports` find each entry point, too; `.mjs` and `.d.mts`
 * are ES modules.
 *
 * @param manifest The manifest of the generated source.
 * @param entries Names of the entries, such as `index` and `node`.
 * @param isEmpty Whether an entry declares only types.
 */
export function publishedManifest(
  manifest: object,
  entries: readonly string[],
  isEmpty: (entry: string) => boolean,
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
          isEmpty(name)
            ? { types: `./${name}.d.ts`, default: `./${emptyFile}` }
            : {
                import: { types: `./${name}.d.mts`, default: `./${name}.mjs` },
                require: { types: `./${name}.d.ts`, default: `./${name}.js` },
              },
        ]),
      ),
      "./package.json": "./package.json",
    },
    files: ["*.js", "*.mjs", "*.d.ts", "*.d.mts"],
  };
}
