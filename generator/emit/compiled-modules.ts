import type { ts } from "ts-morph";
import { InputError } from "../base/input-error.js";

/** The first line of a module, which states where the module comes from. */
const firstLine = /^\/\/ .*\n/;

/**
 * Compiles a package's modules to JavaScript without comments, and to declarations. Other files are
 * returned unchanged.
 *
 * @param files Content by path.
 * @throws InputError `ERR_DECLARATION` if an export of a module has no explicit type.
 */
export async function compileModules(
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const { ts } = await import("ts-morph");
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    declaration: true,
    isolatedDeclarations: true,
    isolatedModules: true,
  };
  const compiled = new Map<string, string>();
  for (const [path, text] of files) {
    if (!path.endsWith(".ts")) {
      compiled.set(path, text);
      continue;
    }
    const head = firstLine.exec(text)?.[0] ?? "";
    const source = text.slice(head.length);
    const set = (extension: string, output: string): void =>
      void compiled.set(path.replace(/ts$/, extension), `${head}${output.trimStart()}`);
    const { outputText } = ts.transpileModule(source, {
      fileName: path,
      compilerOptions,
      transformers: { before: [withoutComments(ts)] },
    });
    set("js", outputText);
    const declarations = ts.transpileDeclaration(source, {
      fileName: path,
      compilerOptions,
      reportDiagnostics: true,
      transformers: { afterDeclarations: [withoutRepetitions(ts)] },
    });
    const [fault] = declarations.diagnostics ?? [];
    if (fault !== undefined) throw declarationFault(ts, path, fault);
    set("d.ts", declarations.outputText);
  }
  return compiled;
}

/**
 * Removes comments on statements and members. Comments inside expressions are kept, because
 * bundlers read them.
 */
function withoutComments(typescript: typeof ts): ts.TransformerFactory<ts.SourceFile> {
  return (context) => {
    const visit = (node: ts.Node): ts.Node => {
      if (
        typescript.isStatement(node) ||
        typescript.isClassElement(node) ||
        typescript.isObjectLiteralElement(node)
      )
        typescript.setEmitFlags(node, typescript.EmitFlags.NoComments);
      return typescript.visitEachChild(node, visit, context);
    };
    return (file) => typescript.visitEachChild(file, visit, context);
  };
}

/**
 * Removes duplicate properties from declarations. Because the compiler runs without its standard
 * library, it adds properties for members such as `[Symbol.iterator]`, even though the declarations
 * already contain them.
 */
function withoutRepetitions(
  typescript: typeof ts,
): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
  const isAdded = (node: ts.Node): boolean =>
    typescript.isPropertyDeclaration(node) &&
    typescript.isComputedPropertyName(node.name) &&
    typescript.getParseTreeNode(node) === undefined;
  return (context) => {
    const visit = (node: ts.Node): ts.Node | undefined =>
      isAdded(node) ? undefined : typescript.visitEachChild(node, visit, context);
    return (file) => typescript.visitEachChild(file, visit, context);
  };
}

function declarationFault(
  typescript: typeof ts,
  path: string,
  { file, start, messageText }: ts.Diagnostic,
): InputError {
  const place = file === undefined ? undefined : file.getLineAndCharacterOfPosition(start ?? 0);
  return new InputError(
    "ERR_DECLARATION",
    `Cannot write declarations: ${typescript.flattenDiagnosticMessageText(messageText, " ")}`,
    {
      file: path,
      // Account for the first line of the file, which is not passed to the compiler.
      ...(place === undefined ? {} : { line: place.line + 2, column: place.character + 1 }),
    },
    "Declare the type explicitly, or use --target ts",
  );
}
