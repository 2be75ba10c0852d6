import type { SourceFile } from "ts-morph";
import { InputError } from "../../base/input-error.js";
import type { Fact } from "../../model/protocol.js";
import { withinStack } from "../../base/within-stack.js";
import { type JsonFile } from "./json-text.js";
import {
  type Annotate,
  DeclarationReader,
  type Morph,
  nameInnerTypes,
  type Places,
  type Schema,
  tooDeep,
} from "./declaration-types.js";

/** Facts that declarations cannot state, or that they state differently than a schema does. */
const neverStated: readonly Fact[] = [
  "integers",
  "ranges",
  "extras",
  "docs",
  "deprecation",
  "discriminators",
];

export interface DeclarationFile extends JsonFile {
  readonly unstated: readonly Fact[];
}

/**
 * Converts a TypeScript declaration file to a schema, so that later passes can treat both alike.
 *
 * Some declarations state discriminators only in comments such as `// command: 'next';`, so these
 * comments are read as well.
 *
 * @param annotate Adds keywords to the schema of a type. Default: none.
 * @throws InputError `ERR_DECLARATION` with the line and column of the part that cannot be read, or
 * `ERR_TOO_DEEP`.
 */
export async function readDeclarations(
  text: string,
  name: string,
  annotate: Annotate = () => ({}),
): Promise<DeclarationFile> {
  const morph = await import("ts-morph");
  // The TypeScript parser is recursive, so a deeply nested file can overflow the stack.
  return withinStack(
    () => readFile(morph, parseDeclarations(morph, text, name), name, annotate),
    tooDeep,
    { file: name },
    nameInnerTypes,
  );
}

/**
 * Parses a declaration file.
 *
 * @throws InputError `ERR_DECLARATION` for syntax errors.
 */
function parseDeclarations(morph: Morph, text: string, name: string): SourceFile {
  const project = new morph.Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { noLib: true },
  });
  const file = project.createSourceFile("declarations.d.ts", text);
  const [fault] = project.getProgram().getSyntacticDiagnostics(file);
  if (fault === undefined) return file;
  const message = fault.getMessageText();
  const reason = typeof message === "string" ? message : message.getMessageText();
  throw new InputError("ERR_DECLARATION", `Cannot parse the declarations: ${reason}`, {
    file: name,
    ...file.getLineAndColumnAtPos(fault.getStart()),
  });
}

function readFile(
  morph: Morph,
  file: SourceFile,
  name: string,
  annotate: Annotate,
): DeclarationFile {
  const places: Places = new Map();
  const reader = new DeclarationReader(morph, name, places, annotate);
  const containers = [file, ...file.getModules()];
  const definitions: Schema = {};
  for (const container of containers) {
    for (const declaration of container.getInterfaces())
      reader.readInterface(definitions, declaration);
    for (const declaration of container.getTypeAliases())
      reader.readAlias(definitions, declaration);
  }
  if (Object.keys(definitions).length === 0)
    throw new InputError(
      "ERR_DECLARATION",
      "Cannot find any interfaces in the declarations",
      { file: name },
      "Pass a .d.ts file with interfaces at the top level or in a single namespace",
    );
  // Declarations without an open enum may use `string` instead and list the known values only in
  // comments, as older declarations do.
  const statesValues = JSON.stringify(definitions).includes('"_enum":');
  return {
    name,
    value: { definitions },
    unstated: statesValues ? neverStated : [...neverStated, "open-values"],
    locate(pointer) {
      for (let prefix = pointer; prefix !== ""; prefix = prefix.slice(0, prefix.lastIndexOf("/"))) {
        const place = places.get(prefix);
        if (place !== undefined) return { file: name, pointer, ...place };
      }
      return { file: name, pointer };
    },
  };
}
