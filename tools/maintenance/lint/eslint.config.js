import { fileURLToPath } from "node:url";
import { defineConfig } from "eslint/config";
import { configs, parser, plugin } from "typescript-eslint";
import { eslintRule } from "./phrases.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Adds the plugin's prefix to the names of rules. */
const typescript = (rules) =>
  Object.fromEntries(
    Object.entries(rules).map(([name, setting]) => [`@typescript-eslint/${name}`, setting]),
  );

export default defineConfig([
  {
    ignores: [
      "**/node_modules",
      "**/dist",
      "**/cjs",
      "build",
      "docs/site/.astro",
      "generated",
      "examples/mcp/generated",
    ],
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [configs.base],
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      parser,
      parserOptions: { projectService: true, tsconfigRootDir: root },
    },
    plugins: { "@typescript-eslint": plugin, words: { rules: { phrases: eslintRule } } },
    rules: {
      "words/phrases": "error",
      eqeqeq: "error",
      "max-lines-per-function": ["error", { max: 100 }],
      "no-fallthrough": "error",
      "no-unreachable": "error",
      "no-var": "error",
      "prefer-const": "error",
      ...typescript({
        "consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
        "no-explicit-any": "error",
        "no-floating-promises": [
          "error",
          {
            allowForKnownSafeCalls: [
              { from: "package", package: "node:test", name: ["describe", "it", "suite", "test"] },
            ],
          },
        ],
        "no-misused-promises": "error",
        "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      }),
    },
  },
  {
    // Text from a peer reaches the terminal only through the functions that escape it.
    files: ["{cli,diff,generator,launch,sessions}/**"],
    ignores: [
      "generator/base/terminal.ts",
      "sessions/tap/viewer.ts",
      "cli/command.js",
      "cli/main.ts",
    ],
    rules: {
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "MemberExpression[object.object.name='process'][property.name='write']",
          message: "Print with a Terminal, which escapes control characters.",
        },
      ],
    },
  },
  {
    // Tests read untyped values and pass misbehaving callbacks on purpose.
    files: ["test/**", "tools/bench/**"],
    rules: {
      "max-lines-per-function": "off",
      ...typescript({ "no-explicit-any": "off", "no-misused-promises": "off" }),
    },
  },
  {
    // The files of type-level tests are compiled, but never run.
    files: ["test/type-level/**"],
    rules: typescript({ "no-unused-vars": "off" }),
  },
]);
