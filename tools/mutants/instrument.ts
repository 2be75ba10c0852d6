import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { inPeers } from "../../test/support/paths.js";
import { touchedLines, type Mutant } from "./mutant.js";

/** The environment variable that selects the active mutant. */
export const activeVariable = "WIREWRIGHT_MUTANT";

export interface InstrumentedFile {
  readonly path: string;
  /** The code with a switch for each mutant, as TypeScript and as JavaScript. */
  readonly typescript: string;
  readonly javascript: string;
}

/**
 * The functions that the switches call. Their variables are declared with `var` so that they are
 * hoisted: with cyclic imports, a switch may be reached before its module has run.
 */
const switches = `// @ts-nocheck
var activeMutant, coverMutants;
function stryMutAct_9fa48(id) {
  if (activeMutant === undefined) activeMutant = globalThis.process?.env?.${activeVariable} ?? "";
  return id === activeMutant;
}
function stryCov_9fa48() {
  if (coverMutants === undefined) coverMutants = globalThis.coverMutants ?? null;
  if (coverMutants !== null) coverMutants(arguments);
}
`;

const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
};

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The part of the `@stryker-mutator/instrumenter` API used here. */
interface Instrumenters {
  readonly Instrumenter: new (logger: object) => {
    instrument(
      files: readonly object[],
      options: object,
    ): Promise<{
      readonly files: readonly { readonly name: string; readonly content: string }[];
      readonly mutants: readonly {
        readonly id: string;
        readonly fileName: string;
        readonly mutatorName: string;
        readonly replacement: string;
        readonly location: { readonly start: Position; readonly end: Position };
      }[];
    }>;
  };
}

/** Instruments files with all their mutants. An environment variable selects the active one. */
export async function instrument(
  root: string,
  paths: readonly string[],
): Promise<{ files: readonly InstrumentedFile[]; mutants: readonly Mutant[] }> {
  const sources = new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
  const { href } = pathToFileURL(inPeers("@stryker-mutator/instrumenter/dist/src/index.js"));
  const { Instrumenter } = (await import(href)) as Instrumenters;
  const result = await new Instrumenter(silent).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, ignorers: [], excludedMutations: [], noHeader: true },
  );
  const files: InstrumentedFile[] = [];
  for (const { name, content } of result.files) {
    const typescript = switches + content;
    const { code } = await transform(typescript, {
      loader: "ts",
      target: "es2022",
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    files.push({ path: name, typescript, javascript: code });
  }
  const mutants = result.mutants.map(({ id, fileName, mutatorName, location, replacement }) => ({
    id,
    file: fileName,
    mutator: mutatorName,
    line: location.start.line + 1,
    ...touchedLines(sources.get(fileName)!, location.start, location.end, replacement),
  }));
  return { files, mutants };
}
