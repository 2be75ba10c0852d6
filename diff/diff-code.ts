import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Project, ts } from "ts-morph";
import { InputError } from "../generator/base/input-error.js";
import { emitDeclarationsPackage } from "../generator/emit/declarations-package.js";
import { emitPackage } from "../generator/emit/emit-package.js";
import { packageEntries } from "../generator/emit/package-entries.js";
import type { Protocol } from "../generator/model/protocol.js";
import { isJsonObject, readJsonText } from "../generator/read/source/json-text.js";
import { visible } from "../generator/base/visible-text.js";
import type { Finding } from "./finding.js";

/**
 * Compiles TypeScript code with the types of both versions. Each error that occurs only with the new
 * types is a finding. The types take the place of the protocol's packages that the code imports:
 * those that wirewright generated, and the published declarations that they can replace.
 *
 * @param path A TypeScript file, a `tsconfig.json`, or a folder that contains TypeScript files or a
 * `tsconfig.json`.
 * @throws InputError `ERR_READ` if there is no TypeScript code, or if it does not import any of
 * these packages.
 */
export async function diffCode(
  path: string,
  before: Protocol,
  after: Protocol,
): Promise<readonly Finding[]> {
  const errorsBefore = new Set((await compile(path, before)).map(({ key }) => key));
  const errorsAfter = await compile(path, after);
  return errorsAfter
    .filter(({ key }) => !errorsBefore.has(key))
    .map(({ file, line, column, code, text }): Finding => {
      const at = `${file}:${line}:${column}`;
      const message = visible(`TS${code}: ${text.replace(/\.$/, "")}`);
      return {
        rule: "code.error",
        severity: "breaking",
        at,
        owner: file,
        path: at,
        message,
        reason: visible(
          `The code compiles with the types of ${before.version}, but not with those of ${after.version}.`,
        ),
        receivers: [],
        messages: [],
        after: { file, pointer: "", line, column },
        wire: {},
        source: {},
        witnesses: [],
        group: `code.error breaking ${at}`,
      };
    });
}

/** A compiler error in the code. */
interface CodeError {
  /** Identifies the error in compilations of the same code. */
  readonly key: string;
  readonly file: string;
  /** `line` and `column` are 1-based. */
  readonly line: number;
  readonly column: number;
  readonly code: number;
  readonly text: string;
}

/** Compiles the code with the types of one version. */
async function compile(path: string, protocol: Protocol): Promise<readonly CodeError[]> {
  const refuse = (why: string, hint: string): never => {
    throw new InputError("ERR_READ", `Cannot compile the code in "${path}": ${why}`, {}, hint);
  };
  const place = "Give a TypeScript file, a tsconfig.json, or a folder that contains one of them";
  if (!existsSync(path)) return refuse("there is no such file", place);
  const isFolder = statSync(path).isDirectory();
  const root = resolve(isFolder ? path : dirname(path));
  const types = await typesOf(protocol, join(root, ".wirewright"));
  const { Project: Code, ts: compiler } = await import("ts-morph");
  let isUsed = false;
  const resolutionHost: NonNullable<ConstructorParameters<typeof Project>[0]>["resolutionHost"] = (
    host,
    getOptions,
  ) => ({
    resolveModuleNames: (names, importer) =>
      names.map((name): ts.ResolvedModuleFull | undefined => {
        const module = compiler.resolveModuleName(
          name,
          importer,
          getOptions(),
          host,
        ).resolvedModule;
        const file = types.moduleFor(name, module?.resolvedFileName);
        if (file === undefined) return module;
        isUsed = true;
        const { Dts, Ts } = compiler.Extension;
        return { resolvedFileName: file, extension: file.endsWith(".d.ts") ? Dts : Ts };
      }),
  });
  const config = isFolder ? join(path, "tsconfig.json") : path;
  const isProject = config.endsWith(".json") && existsSync(config);
  const project = new Code({
    resolutionHost,
    ...(isProject
      ? { tsConfigFilePath: config }
      : {
          compilerOptions: {
            strict: true,
            target: compiler.ScriptTarget.ES2022,
            module: compiler.ModuleKind.ESNext,
            moduleResolution: compiler.ModuleResolutionKind.Bundler,
          },
        }),
  });
  if (!isProject)
    project.addSourceFilesAtPaths(
      isFolder ? [`${path}/**/*.{ts,tsx,mts,cts}`, `!${path}/**/node_modules/**`] : [path],
    );
  const code = project
    .getSourceFiles()
    .filter(
      (file) =>
        !file.isDeclarationFile() &&
        !file.isInNodeModules() &&
        generatedFolder(file.getFilePath(), protocol) === undefined,
    );
  if (code.length === 0) return refuse("there is no TypeScript", place);
  for (const [file, text] of types.files) project.createSourceFile(file, text, { overwrite: true });
  const program = project.getProgram();
  const errors = code.flatMap((file) => {
    const name = relative(process.cwd(), file.getFilePath());
    return program.getSemanticDiagnostics(file).map((diagnostic): CodeError => {
      const start = diagnostic.getStart() ?? 0;
      const { line, column } = file.getLineAndColumnAtPos(start);
      const text = diagnostic.getMessageText();
      return {
        key: `${name} ${start} ${diagnostic.getCode()}`,
        file: name,
        line,
        column,
        code: diagnostic.getCode(),
        text: typeof text === "string" ? text : text.getMessageText(),
      };
    });
  });
  // Without its types, the code would compile in the same way with every version.
  if (!isUsed)
    return refuse(
      `it does not import the types of ${protocol.title}`,
      `Give code that imports ${protocol.packageName} or another package that wirewright generate wrote`,
    );
  return errors;
}

/** One version's types, as modules that take the place of the packages that code imports. */
interface Types {
  /** Texts of the modules by path. */
  readonly files: ReadonlyMap<string, string>;
  /**
   * Returns the module that replaces an imported one, or undefined if the latter does not belong to
   * the protocol.
   *
   * @param resolved Path of the imported module, if it exists.
   */
  moduleFor(name: string, resolved: string | undefined): string | undefined;
}

/** @param folder A folder that does not exist, in which the modules appear to be. */
async function typesOf(protocol: Protocol, folder: string): Promise<Types> {
  const modules = new Map(
    [...(await emitPackage(protocol))].flatMap(([path, text]): [string, string][] =>
      path.endsWith(".ts") ? [[join(folder, path), text]] : [],
    ),
  );
  const imports = new Map(
    packageEntries(protocol).map(({ name }) => [
      name === "index" ? protocol.packageName : `${protocol.packageName}/${name}`,
      join(folder, `${name}.ts`),
    ]),
  );
  const { package: published, replacement } = protocol.compatibility ?? {};
  const declarations = [...(emitDeclarationsPackage(protocol) ?? [])].find(([path]) =>
    path.endsWith(".d.ts"),
  );
  if (declarations !== undefined) {
    const file = join(folder, "declarations.d.ts");
    modules.set(file, declarations[1]);
    for (const name of [published, replacement?.name])
      if (name !== undefined) imports.set(name, file);
  }
  return {
    files: modules,
    moduleFor: (name, resolved) => {
      const file = imports.get(name);
      if (file !== undefined || resolved === undefined) return file;
      const generated = generatedFolder(resolved, protocol);
      if (generated === undefined) return undefined;
      const path = relative(generated, realpathSync(resolved)).replace(/^(dist|cjs)[/\\]/, "");
      const module = join(folder, path.replace(/(\.d)?\.ts$/, ".ts"));
      return modules.has(module) ? module : undefined;
    },
  };
}

/** Returns the folder of the generated package that a file belongs to, if it does. */
function generatedFolder(file: string, { name }: Protocol): string | undefined {
  let folder = dirname(existsSync(file) ? realpathSync(file) : file);
  while (!existsSync(join(folder, "package.json"))) {
    if (folder === dirname(folder)) return undefined;
    folder = dirname(folder);
  }
  const manifest = join(folder, "package.json");
  const { value } = readJsonText(readFileSync(manifest, "utf8"), manifest);
  return isJsonObject(value) && value["protocol"] === name ? folder : undefined;
}
