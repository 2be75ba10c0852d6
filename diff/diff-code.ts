import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Project, SourceFile, ts } from "ts-morph";
import { InputError } from "../generator/base/input-error.js";
import { countText } from "../generator/base/plural.js";
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
 * @param onWarning Called if code compiles with neither version. Its use of changed parts may stay
 * hidden, because the compiler knows less about it.
 * @throws InputError `ERR_READ` if there is no TypeScript code, or if it does not import any of
 * these packages.
 */
export async function diffCode(
  path: string,
  before: Protocol,
  after: Protocol,
  onWarning?: (warning: InputError) => void,
): Promise<readonly Finding[]> {
  const refuse = (why: string, hint: string): never => {
    throw new InputError("ERR_READ", `Cannot compile the code in "${path}": ${why}`, {}, hint);
  };
  const hint = "Give a TypeScript file, a tsconfig.json, or a folder that contains one of them";
  if (!existsSync(path)) return refuse("there is no such file", hint);
  const isFolder = statSync(path).isDirectory();
  const root = resolve(isFolder ? path : dirname(path));
  const types = await readTypes(before, after, join(root, ".wirewright"));
  const { Project: Code, ts: compiler } = await import("ts-morph");
  let isUsed = false;
  const resolutionHost: NonNullable<ConstructorParameters<typeof Project>[0]>["resolutionHost"] = (
    host,
    getOptions,
  ) => {
    const cache = compiler.createModuleResolutionCache(root, (name) => name, getOptions());
    return {
      resolveModuleNames: (names, importer) =>
        names.map((name): ts.ResolvedModuleFull | undefined => {
          const { resolvedModule: module } = compiler.resolveModuleName(
            name,
            importer,
            getOptions(),
            host,
            cache,
          );
          const file = types.moduleFor(name, module?.resolvedFileName);
          if (file === undefined) return module;
          isUsed = true;
          const { Dts, Ts } = compiler.Extension;
          return { resolvedFileName: file, extension: file.endsWith(".d.ts") ? Dts : Ts };
        }),
    };
  };
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
        generatedFolder(file.getFilePath(), after) === undefined,
    );
  if (code.length === 0) return refuse("there is no TypeScript", hint);
  // Both compilations share a project, so that all other files are parsed only once. The old types
  // matter only for code that does not compile with the new ones.
  const errorsAfter = compile(project, code, types.after);
  const paths = new Set(errorsAfter.map(({ file }) => file));
  const failing = code.filter((file) => paths.has(pathOf(file)));
  const errorsBefore = new Set(compile(project, failing, types.before).map(keyOf));
  const errors = errorsAfter.filter((each) => !errorsBefore.has(keyOf(each)));
  const error = errorsAfter.find((each) => errorsBefore.has(keyOf(each)));
  if (error !== undefined) {
    const { file, line, column, code, text } = error;
    onWarning?.(
      new InputError(
        "ERR_COMPILE",
        `The code has ${countText(errorsAfter.length - errors.length, "error")} with both versions, first TS${code}: ${text.replace(/\.$/, "")}`,
        { file, line, column },
        "Changes that concern this code may not be found until it compiles",
      ),
    );
  }
  // Without its types, the code would compile in the same way with every version.
  if (!isUsed)
    return refuse(
      `it does not import the types of ${after.title}`,
      `Give code that imports ${after.packageName} or another package that wirewright generate wrote`,
    );
  const reason = visible(
    `The code compiles with the types of ${before.version}, but not with those of ${after.version}.`,
  );
  return errors.map((error) => findingOf(error, reason));
}

/** A compiler error in the code. `line` and `column` are 1-based. */
interface CodeError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly code: number;
}

/** Returns a string that identifies an error in compilations of the same code. */
function keyOf({ file, line, column, code }: CodeError): string {
  return `${file}:${line}:${column} ${code}`;
}

function findingOf({ file, line, column, code, text }: CodeError, reason: string): Finding {
  const at = `${file}:${line}:${column}`;
  return {
    rule: "code.error",
    severity: "breaking",
    at,
    owner: file,
    path: at,
    message: visible(`TS${code}: ${text.replace(/\.$/, "")}`),
    reason,
    receivers: [],
    messages: [],
    after: { file, pointer: "", line, column },
    wire: {},
    source: {},
    witnesses: [],
    group: `code.error breaking ${at}`,
  };
}

function pathOf(file: SourceFile): string {
  return relative(process.cwd(), file.getFilePath());
}

/** Compiles the code with the types of one version. */
function compile(
  project: Project,
  code: readonly SourceFile[],
  modules: ReadonlyMap<string, string>,
): readonly CodeError[] {
  if (code.length === 0) return [];
  for (const [path, text] of modules)
    if (project.getSourceFile(path)?.getFullText() !== text)
      project.createSourceFile(path, text, { overwrite: true });
  const program = project.getProgram();
  return code.flatMap((file) =>
    program.getSemanticDiagnostics(file).map((diagnostic): CodeError => {
      const text = diagnostic.getMessageText();
      return {
        file: pathOf(file),
        ...file.getLineAndColumnAtPos(diagnostic.getStart() ?? 0),
        code: diagnostic.getCode(),
        text: typeof text === "string" ? text : text.getMessageText(),
      };
    }),
  );
}

/** Both versions' types, as modules that take the place of the packages that code imports. */
interface Types {
  /** Texts of the modules by path. A module that a version lacks is empty. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
  /**
   * Returns the module that replaces an imported one, or undefined if the latter does not belong to
   * the protocol.
   *
   * @param resolved Path of the imported module, if it exists.
   */
  moduleFor(name: string, resolved: string | undefined): string | undefined;
}

/** @param folder A folder that does not exist, in which the modules appear to be. */
async function readTypes(before: Protocol, after: Protocol, folder: string): Promise<Types> {
  const declarations = join(folder, "declarations.d.ts");
  const modulesOf = async (protocol: Protocol): Promise<Map<string, string>> => {
    const modules = [...(await emitPackage(protocol))].filter(([path]) => path.endsWith(".ts"));
    const published = [...(emitDeclarationsPackage(protocol) ?? [])];
    return new Map([
      ...modules.map(([path, text]) => [join(folder, path), text] as const),
      ...published.flatMap(([path, text]) =>
        path.endsWith(".d.ts") ? [[declarations, text] as const] : [],
      ),
    ]);
  };
  const [modulesBefore, modulesAfter] = [await modulesOf(before), await modulesOf(after)];
  const paths = [...new Set([...modulesBefore.keys(), ...modulesAfter.keys()])];
  const whole = (modules: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
    new Map(paths.map((path) => [path, modules.get(path) ?? ""]));
  const imports = new Map<string, string>();
  for (const protocol of [before, after]) {
    for (const { name } of packageEntries(protocol)) {
      const { packageName } = protocol;
      imports.set(
        name === "index" ? packageName : `${packageName}/${name}`,
        join(folder, `${name}.ts`),
      );
    }
    const { package: published, replacement } = protocol.compatibility ?? {};
    if (paths.includes(declarations))
      for (const name of [published, replacement?.name])
        if (name !== undefined) imports.set(name, declarations);
  }
  return {
    before: whole(modulesBefore),
    after: whole(modulesAfter),
    moduleFor: (name, resolved) => {
      const module = imports.get(name);
      const generated = resolved === undefined ? undefined : generatedFolder(resolved, after);
      if (generated === undefined || module === declarations) return module;
      // Published packages also have hand-written modules, which stay: they import generated ones.
      const path = relative(generated, realpathSync(resolved!)).replaceAll("\\", "/");
      const file = path.replace(/^((dist|cjs)\/)?(generated\/[^/]+\/)?/, "");
      const replacement = join(folder, file.replace(/(\.d)?\.ts$/, ".ts"));
      return paths.includes(replacement) ? replacement : undefined;
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
