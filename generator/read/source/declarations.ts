import type {
  SourceFile,
  InterfaceDeclaration,
  JSDocableNode,
  LiteralTypeNode,
  Node,
  PropertySignature,
  TypeAliasDeclaration,
  TypeElementMemberedNode,
  TypeNode,
} from "ts-morph";
import { Faults } from "../../base/faults.js";
import { InputError, type InputPlace } from "../../base/input-error.js";
import type { Fact } from "../../model/protocol.js";
import { withinStack } from "../../base/within-stack.js";
import { type JsonFile, joinPointer, maxInputDepth, nearestPlace } from "./json-text.js";
import type { Json } from "../../model/types.js";
import { setField } from "../../../runtime/base/own-fields.js";

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
 * @throws InputError `ERR_DECLARATION` with the line and column of each part that cannot be read, or
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
  const faults = new Faults();
  for (const fault of project.getProgram().getSyntacticDiagnostics(file)) {
    const message = fault.getMessageText();
    const reason = typeof message === "string" ? message : message.getMessageText();
    faults.add("ERR_DECLARATION", `Cannot parse the declarations: ${reason}`, {
      file: name,
      ...file.getLineAndColumnAtPos(fault.getStart()),
    });
  }
  faults.settle();
  return file;
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
  reader.faults.settle();
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
      const [, position] = nearestPlace(places, pointer) ?? [];
      return { file: name, pointer, ...position };
    },
  };
}

export type Morph = typeof import("ts-morph");
/** Line and column of each part, keyed by JSON Pointer. */
export type Places = Map<string, { line: number; column: number }>;
export type Schema = { [key: string]: Json };
/**
 * A function that reads the doc comment on a property or type, and returns the keywords to add to
 * its schema.
 */
export type Annotate = (node: JSDocableNode) => Schema;

const any: Schema = {
  type: ["array", "boolean", "integer", "null", "number", "object", "string"],
};

export const tooDeep = `Cannot read types nested more than ${maxInputDepth} levels deep`;
export const nameInnerTypes = "Give names to the inner types";

export class DeclarationReader {
  readonly #morph: Morph;
  readonly #file: string;
  readonly #places: Places;
  readonly #annotate: Annotate;
  /** Types that cannot be read. */
  readonly faults = new Faults();
  #depth = 0;

  constructor(morph: Morph, file: string, places: Places, annotate: Annotate) {
    this.#annotate = annotate;
    this.#morph = morph;
    this.#file = file;
    this.#places = places;
  }

  readInterface(definitions: Schema, declaration: InterfaceDeclaration): void {
    const pointer = this.#mark(declaration.getName(), declaration);
    const bases = declaration.getExtends().map((base) => this.#reference(base.getText()));
    const ownPointer = bases.length === 0 ? pointer : joinPointer(pointer, "allOf", bases.length);
    const members = this.#members(declaration, ownPointer, pinnedByComments(declaration.getText()));
    const schema =
      bases.length === 0
        ? { ...members, ...documented(declaration) }
        : { ...documented(declaration), allOf: [...bases, members] };
    setField(definitions, declaration.getName(), schema);
  }

  readAlias(definitions: Schema, declaration: TypeAliasDeclaration): void {
    const pointer = this.#mark(declaration.getName(), declaration);
    const type = declaration.getTypeNode();
    if (type !== undefined)
      setField(definitions, declaration.getName(), {
        ...this.#type(type, pointer),
        ...documented(declaration),
        ...this.#annotate(declaration),
      });
  }

  #mark(name: string, node: Node): string {
    const pointer = joinPointer("/definitions", name);
    this.#markAt(pointer, node);
    return pointer;
  }

  #markAt(pointer: string, node: Node): void {
    this.#places.set(pointer, node.getSourceFile().getLineAndColumnAtPos(node.getStart()));
  }

  #members(
    node: TypeElementMemberedNode & Node,
    at: string,
    pinned: ReadonlyMap<string, string> = new Map(),
  ): Schema {
    const properties: Schema = {};
    const required: string[] = [];
    for (const [name, value] of pinned)
      setField(properties, name, { type: "string", enum: [value] });
    required.push(...pinned.keys());
    for (const property of node.getProperties()) {
      const name = this.#nameOf(property);
      const pointer = joinPointer(at, "properties", name);
      this.#markAt(pointer, property);
      setField(properties, name, this.#property(property, pointer));
      if (!property.hasQuestionToken() && !required.includes(name)) required.push(name);
    }
    const [dictionary] = node.getIndexSignatures();
    if (dictionary !== undefined && Object.keys(properties).length === 0)
      return {
        type: "object",
        additionalProperties: this.#typeOr(dictionary.getReturnTypeNode(), at),
      };
    return {
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required }),
      ...(dictionary === undefined ? {} : { additionalProperties: true }),
    };
  }

  #property(property: PropertySignature, at: string): Schema {
    const type = this.#typeOr(property.getTypeNode(), at);
    return { ...type, ...documented(property), ...this.#annotate(property) };
  }

  #nameOf(property: PropertySignature): string {
    const node = property.getNameNode();
    return this.#morph.Node.isStringLiteral(node) ? node.getLiteralValue() : property.getName();
  }

  #typeOr(node: TypeNode | undefined, at: string): Schema {
    return node === undefined ? any : this.#type(node, at);
  }

  #reference(text: string): Schema {
    return { $ref: joinPointer("#/definitions", text.split(".").at(-1)!.replace(/<.*$/s, "")) };
  }

  #type(node: TypeNode, at: string): Schema {
    if (this.#depth >= maxInputDepth)
      throw new InputError("ERR_TOO_DEEP", tooDeep, this.#placeOf(node), nameInnerTypes);
    this.#depth++;
    const schema = this.#typeInside(node, at);
    this.#depth--;
    return schema;
  }

  #placeOf(node: Node): InputPlace {
    const position = node.getSourceFile().getLineAndColumnAtPos(node.getStart());
    return { file: this.#file, ...position };
  }

  #typeInside(node: TypeNode, at: string): Schema {
    const { Node: is } = this.#morph;
    if (is.isParenthesizedTypeNode(node)) return this.#type(node.getTypeNode(), at);
    if (is.isArrayTypeNode(node))
      return { type: "array", items: this.#type(node.getElementTypeNode(), at) };
    if (is.isTypeLiteral(node)) return this.#members(node, at);
    if (is.isUnionTypeNode(node)) return this.#union(node.getTypeNodes(), at);
    if (
      is.isTypeOperatorTypeNode(node) &&
      node.getOperator() === this.#morph.SyntaxKind.ReadonlyKeyword
    )
      return this.#type(node.getTypeNode(), at);
    if (is.isTypeReference(node)) {
      const [item, value] = node.getTypeArguments();
      const name = node.getTypeName().getText();
      if (item !== undefined && /^(Readonly)?Array$/.test(name))
        return { type: "array", items: this.#type(item, at) };
      if (value !== undefined && name === "Record" && item!.getText() === "string")
        return { type: "object", additionalProperties: this.#type(value, at) };
      return this.#reference(name);
    }
    const text = node.getText();
    switch (text) {
      case "string":
      case "number":
      case "boolean":
      case "null":
      case "object":
        return { type: text };
      case "any":
      case "unknown":
        return any;
      // With this common idiom, a union accepts any string, but editors still suggest the listed
      // values.
      case "string & {}":
        return { type: "string" };
    }
    const value = is.isLiteralTypeNode(node) ? this.#literal(node) : undefined;
    if (value !== undefined) return { type: typeof value, enum: [value] };
    this.faults.add(
      "ERR_DECLARATION",
      `Cannot read the type \`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``,
      this.#placeOf(node),
      "Only JSON types can be compared, not functions, generics or computed types",
    );
    return any;
  }

  #literal(node: LiteralTypeNode): string | number | boolean | undefined {
    const { Node: is } = this.#morph;
    const literal = node.getLiteral();
    if (is.isStringLiteral(literal) || is.isNoSubstitutionTemplateLiteral(literal))
      return literal.getLiteralText();
    const text = node.getText();
    if (text === "true" || text === "false") return text === "true";
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  }

  #union(nodes: readonly TypeNode[], at: string): Schema {
    const members = nodes.map((node) => this.#type(node, at));
    const listed = members.flatMap((member) =>
      Array.isArray(member["enum"]) ? (member["enum"] as string[]) : [],
    );
    const others = members.filter((member) => !("enum" in member));
    if (others.length === 0 && listed.every((value) => typeof value === "string"))
      return { type: "string", enum: listed };
    if (listed.length > 0 && others.length === 1 && others[0]!["type"] === "string")
      return { type: "string", _enum: listed };
    if (listed.length === 0 && members.every((member) => isPlain(member)))
      return { type: members.map((member) => member["type"] as string) };
    return { anyOf: members };
  }
}

/** Returns whether a schema consists only of a `type`. */
function isPlain(schema: Schema): boolean {
  return Object.keys(schema).length === 1 && typeof schema["type"] === "string";
}

function pinnedByComments(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^\s*\/\/\s*(\w+):\s*(?:'([^'\n]*)'|"([^"\n]*)");?\s*$/gm)].map(
      ([, name, single, double]) => [name!, (single ?? double)!],
    ),
  );
}

function documented(node: JSDocableNode): Schema {
  const text = node
    .getJsDocs()
    .map((doc) => doc.getDescription().trim())
    .filter((part) => part !== "")
    .join("\n");
  return text === "" ? {} : { description: text };
}
