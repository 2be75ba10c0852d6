/** Manifest fields that concern only the generated source. */
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
 * The code of entry points that contain only types. It is empty and shared by both module systems.
 */
export const emptyFile = "types.js";

/**
 * Creates a package's published manifest. `.js` and `.d.ts` files are CommonJS. They are at the
 * root of the package so that even compilers that do not support `exports` find each entry point.
 * `.mjs` and `.d.mts` files are ES modules.
 *
 * @param manifest The manifest of the generated source.
 * @param entries Names of the entry points, such as `index` and `node`.
 * @param isEmpty Whether an entry point declares only types.
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
