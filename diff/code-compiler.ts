import { basename, dirname, join, resolve } from "node:path";
import type * as compilerPackage from "@ts-morph/common";
import type { ts } from "@ts-morph/common";

/** Modules that take the place of others, whatever their texts are. */
export interface Replacements {
  /** The folder in which they appear to be. It does not exist. */
  readonly folder: string;
  /**
   * Returns the path of the module that replaces an imported one, or undefined if none does.
   *
   * @param resolved Path of the imported module, if it exists.
   */
  moduleFor(name: string, resolved: string | undefined): string | undefined;
}

/** A compiler error in the code. `line` and `column` are 1-based. */
export interface CodeError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly code: number;
}

/** Compiles the same code several times, with other texts of the modules that it imports. */
export class CodeCompiler {
  readonly #ts: typeof ts;
  readonly #options: ts.CompilerOptions;
  readonly #fileNames: string[];
  readonly #host: ts.CompilerHost;
  /** The compiler's own declarations by path. */
  readonly #libraries = new Map<string, string>();
  /** Parsed files by path. Most are the same in all programs. */
  readonly #files = new Map<string, ts.SourceFile>();
  #modules: ReadonlyMap<string, string> = new Map();
  #program: ts.Program | undefined;
  #replaces = false;

  /** @param path A TypeScript file, a `tsconfig.json`, or a folder that contains either. */
  constructor(
    { ts: typescript, getLibFiles }: typeof compilerPackage,
    path: string,
    replacements: Replacements,
  ) {
    this.#ts = typescript;
    for (const { fileName, text } of getLibFiles())
      this.#libraries.set(`${replacements.folder}/lib/${fileName}`, text);
    const { options, fileNames } = readProject(typescript, resolve(path));
    this.#options = options;
    this.#fileNames = fileNames;
    this.#host = this.#createHost(replacements);
  }

  /** Whether the compiled code imports a replaced module. */
  get replaces(): boolean {
    return this.#replaces;
  }

  /**
   * Returns the code's errors, and the number of files that were checked.
   *
   * @param modules Texts of the replacing modules by path. All calls must have the same paths.
   * @param isCode Whether to check a file, by its path.
   */
  compile(
    modules: ReadonlyMap<string, string>,
    isCode: (file: string) => boolean,
  ): { readonly files: number; readonly errors: readonly CodeError[] } {
    this.#modules = modules;
    const { createProgram } = this.#ts;
    const program = createProgram(this.#fileNames, this.#options, this.#host, this.#program);
    this.#program = program;
    const code = program
      .getSourceFiles()
      .filter(
        (file) =>
          !file.isDeclarationFile &&
          !modules.has(file.fileName) &&
          !program.isSourceFileFromExternalLibrary(file) &&
          isCode(file.fileName),
      );
    const errors = code.flatMap((file) =>
      program.getSemanticDiagnostics(file).map(({ start = 0, code, messageText }): CodeError => {
        const { line, character } = file.getLineAndCharacterOfPosition(start);
        const text = typeof messageText === "string" ? messageText : messageText.messageText;
        return { file: file.fileName, line: line + 1, column: character + 1, code, text };
      }),
    );
    return { files: code.length, errors };
  }

  #createHost({ folder, moduleFor }: Replacements): ts.CompilerHost {
    const typescript = this.#ts;
    const onDisk = typescript.createCompilerHost(this.#options);
    const cache = typescript.createModuleResolutionCache(
      process.cwd(),
      (path) => onDisk.getCanonicalFileName(path),
      this.#options,
    );
    const textOf = (path: string): string | undefined =>
      this.#modules.get(path) ?? this.#libraries.get(path);
    const host: ts.CompilerHost = {
      ...onDisk,
      // As in tsc: other comments change no error.
      jsDocParsingMode: typescript.JSDocParsingMode.ParseForTypeErrors,
      getCurrentDirectory: () => process.cwd(),
      getDefaultLibLocation: () => `${folder}/lib`,
      getDefaultLibFileName: (options) =>
        `${folder}/lib/${typescript.getDefaultLibFileName(options)}`,
      fileExists: (path) => textOf(path) !== undefined || onDisk.fileExists(path),
      readFile: (path) => textOf(path) ?? onDisk.readFile(path),
      directoryExists: (path) => path === folder || onDisk.directoryExists!(path),
      getSourceFile: (path, options, ...others) => {
        const text = textOf(path);
        const parsed = this.#files.get(path);
        if (parsed !== undefined && (text === undefined || text === parsed.text)) return parsed;
        const file =
          text === undefined
            ? onDisk.getSourceFile(path, options, ...others)
            : typescript.createSourceFile(path, text, options);
        if (file !== undefined) this.#files.set(path, file);
        return file;
      },
      resolveModuleNameLiterals: (literals, importer, redirected, options, file) =>
        literals.map((literal) => {
          const mode = typescript.getModeForUsageLocation(file, literal, options);
          const { text } = literal;
          const { resolveModuleName } = typescript;
          const module = resolveModuleName(text, importer, options, host, cache, redirected, mode);
          const replacing = moduleFor(text, module.resolvedModule?.resolvedFileName);
          if (replacing === undefined) return module;
          this.#replaces = true;
          const { Dts, Ts } = typescript.Extension;
          const extension = replacing.endsWith(".d.ts") ? Dts : Ts;
          return { resolvedModule: { resolvedFileName: replacing, extension } };
        }),
    };
    return host;
  }
}

/**
 * Returns the files and options of a project, or those for code without a `tsconfig.json`.
 *
 * @param path An absolute path, because the compiler remembers the first working directory.
 */
function readProject(typescript: typeof ts, path: string): ts.ParsedCommandLine {
  const isFolder = typescript.sys.directoryExists(path);
  const config = isFolder ? join(path, "tsconfig.json") : path;
  if (config.endsWith(".json") && typescript.sys.fileExists(config)) {
    // The replacing modules are in none of the project's own lists of files.
    const options = { noEmit: true, composite: false, incremental: false };
    const host = { ...typescript.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
    const project = typescript.getParsedCommandLineOfConfigFile(config, options, host);
    return project ?? { options, fileNames: [], errors: [] };
  }
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
  };
  const files = isFolder ? { include: ["**/*"] } : { files: [basename(path)] };
  return typescript.parseJsonConfigFileContent(
    { compilerOptions, ...files },
    typescript.sys,
    isFolder ? path : dirname(path),
  );
}
