import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, posix, relative, resolve } from "node:path";
import { InputError } from "../generator/base/input-error.js";
import { countText } from "../generator/base/plural.js";
import { emitDeclarationsPackage } from "../generator/emit/declarations-package.js";
import { emitPackage } from "../generator/emit/emit-package.js";
import { packageEntries } from "../generator/emit/package-entries.js";
import { oncePerText } from "../generator/model/once.js";
import type { Protocol } from "../generator/model/protocol.js";
import { isJsonObject, readJsonText } from "../generator/read/source/json-text.js";
import { visible } from "../generator/base/visible-text.js";
import { CodeCompiler, type CodeError, type Replacements } from "./code-compiler.js";
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
  const root = resolve(isFolder ? path : dirname(path)).replaceAll("\\", "/");
  const generatedFolder = generatedFolders(after);
  const types = await readTypes([before, after], posix.join(root, ".wirewright"), generatedFolder);
  const compiler = new CodeCompiler(await import("@ts-morph/common"), path, types);
  const isCode = (file: string): boolean => generatedFolder(file) === undefined;
  // Code that compiles with the new types does not have to compile with the old ones.
  const { errors: errorsAfter, files } = compiler.compile(types.after, isCode);
  if (files === 0) return refuse("there is no TypeScript", hint);
  const failing = new Set(errorsAfter.map(({ file }) => file));
  const errorsBefore = new Set<string>();
  if (failing.size > 0)
    for (const each of compiler.compile(types.before, (file) => failing.has(file)).errors)
      errorsBefore.add(keyOf(each));
  const errors = errorsAfter.filter((each) => !errorsBefore.has(keyOf(each)));
  const error = errorsAfter.find((each) => errorsBefore.has(keyOf(each)));
  if (error !== undefined) {
    const { file, line, column, code, text } = error;
    onWarning?.(
      new InputError(
        "ERR_COMPILE",
        `The code has ${countText(errorsAfter.length - errors.length, "error")} with both versions, first TS${code}: ${text.replace(/\.$/, "")}`,
        { file: relative(process.cwd(), file), line, column },
        "Changes that concern this code may not be found until it compiles",
      ),
    );
  }
  // Without its types, the code would compile in the same way with every version.
  if (!compiler.replaces)
    return refuse(
      `it does not import the types of ${after.title}`,
      `Give code that imports ${after.packageName} or another package that wirewright generate wrote`,
    );
  const reason = visible(
    `The code compiles with the types of ${before.version}, but not with those of ${after.version}.`,
  );
  return errors.map((error) => findingOf(error, reason));
}

/** Returns a string that identifies an error in compilations of the same code. */
function keyOf({ file, line, column, code }: CodeError): string {
  return `${file}:${line}:${column} ${code}`;
}

function findingOf({ file, line, column, code, text }: CodeError, reason: string): Finding {
  const name = relative(process.cwd(), file);
  const at = `${name}:${line}:${column}`;
  return {
    rule: "code.error",
    severity: "breaking",
    at,
    owner: name,
    path: at,
    message: visible(`TS${code}: ${text.replace(/\.$/, "")}`),
    reason,
    receivers: [],
    messages: [],
    after: { file: name, pointer: "", line, column },
    wire: {},
    source: {},
    witnesses: [],
    group: `code.error breaking ${at}`,
  };
}

/** Both versions' types, as modules that take the place of the packages that code imports. */
interface Types extends Replacements {
  /** Texts of the modules by path. A module that a version lacks is empty. */
  readonly before: ReadonlyMap<string, string>;
  readonly after: ReadonlyMap<string, string>;
}

/** @param folder A folder that does not exist, in which the modules appear to be. */
async function readTypes(
  [before, after]: readonly [Protocol, Protocol],
  folder: string,
  generatedFolder: (file: string) => string | undefined,
): Promise<Types> {
  const declarations = posix.join(folder, "declarations.d.ts");
  const modulesOf = async (protocol: Protocol): Promise<Map<string, string>> => {
    const modules = [...(await emitPackage(protocol))].filter(([path]) => path.endsWith(".ts"));
    const published = [...(emitDeclarationsPackage(protocol) ?? [])];
    return new Map([
      ...modules.map(([path, text]) => [posix.join(folder, path), text] as const),
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
        posix.join(folder, `${name}.ts`),
      );
    }
    const { package: published, replacement } = protocol.compatibility ?? {};
    if (paths.includes(declarations))
      for (const name of [published, replacement?.name])
        if (name !== undefined) imports.set(name, declarations);
  }
  return {
    folder,
    before: whole(modulesBefore),
    after: whole(modulesAfter),
    moduleFor: (name, resolved) => {
      const module = imports.get(name);
      const generated = resolved === undefined ? undefined : generatedFolder(resolved);
      if (generated === undefined || module === declarations) return module;
      // Published packages also have hand-written modules, which stay: they import generated ones.
      const path = relative(generated, realpathSync(resolved!)).replaceAll("\\", "/");
      const file = path.replace(/^((dist|cjs)\/)?(generated\/[^/]+\/)?/, "");
      const replacement = posix.join(folder, file.replace(/(\.d)?\.ts$/, ".ts"));
      return paths.includes(replacement) ? replacement : undefined;
    },
  };
}

/** Returns a function that finds the folder of the generated package that a file belongs to. */
function generatedFolders({ name }: Protocol): (file: string) => string | undefined {
  const folderOf = oncePerText((folder): string | false => {
    const manifest = posix.join(folder, "package.json");
    if (!existsSync(manifest)) return folder !== dirname(folder) && folderOf(dirname(folder));
    const { value } = readJsonText(readFileSync(manifest, "utf8"), manifest);
    return isJsonObject(value) && value["protocol"] === name && folder;
  });
  return (file) => folderOf(dirname(existsSync(file) ? realpathSync(file) : file)) || undefined;
}
