import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Node, ObjectLiteralExpression, Project, SourceFile, Symbol, Type } from "ts-morph";
import { InputError } from "../generator/base/input-error.js";
import type { Finding, Sighting } from "./finding.js";

type Morph = typeof import("ts-morph");

/** Matches rules for changes that affect code that does not set a property. */
const byAbsence = /^prop\.(added-required|became-required|required-name-added)/;

/**
 * Selects the findings that affect some code, and adds the places in the code that they affect.
 * These are the places that read or write the changed part, or that mention a message or a listed
 * value by name. Types are resolved using the declarations of the package that the code uses.
 *
 * @param path A TypeScript file, a `tsconfig.json`, or a folder that contains TypeScript files or a
 * `tsconfig.json`.
 * @throws InputError `ERR_READ` if no TypeScript code is found.
 */
export async function findUses(
  path: string,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const morph = await import("ts-morph");
  const files = openCode(morph, path);
  const index = new FindingIndex(findings);
  const seen = new Map<Finding, Sighting[]>();
  for (const file of files) {
    const finder = new UseFinder(morph, index, (finding, node) => {
      const { line, column } = file.getLineAndColumnAtPos(node.getStart());
      const places = seen.get(finding);
      const place: Sighting = { file: file.getFilePath(), line, column };
      if (places === undefined) seen.set(finding, [place]);
      else if (!places.some((each) => each.file === place.file && each.line === line))
        places.push(place);
    });
    file.forEachDescendant((node) => finder.visit(node));
  }
  return findings.flatMap((finding) => {
    const places = seen.get(finding);
    return places === undefined ? [] : [{ ...finding, seen: places }];
  });
}

function openCode({ Project: Code }: Morph, path: string): readonly SourceFile[] {
  const fail = (why: string): never => {
    throw new InputError(
      "ERR_READ",
      `Cannot read the code in "${path}": ${why}`,
      {},
      "Give a TypeScript file, a tsconfig.json, or a folder that contains one of them",
    );
  };
  if (!existsSync(path)) return fail("there is no such file");
  const isFolder = statSync(path).isDirectory();
  const config = isFolder ? join(path, "tsconfig.json") : path;
  const project =
    config.endsWith(".json") && existsSync(config)
      ? new Code({ tsConfigFilePath: config })
      : withFiles(
          new Code({ compilerOptions: { strict: true, module: 199, target: 9 } }),
          path,
          isFolder,
        );
  const files = project
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile() && !file.isInNodeModules());
  return files.length === 0 ? fail("there is no TypeScript") : files;
}

function withFiles(project: Project, path: string, isFolder: boolean): Project {
  project.addSourceFilesAtPaths(
    isFolder ? [`${path}/**/*.{ts,tsx,mts,cts}`, `!${path}/**/node_modules/**`] : [path],
  );
  return project;
}

/**
 * Indexes findings by the names that code uses for properties, messages, listed values and
 * definitions.
 */
class FindingIndex {
  readonly properties = new Map<string, Finding[]>();
  readonly messages = new Map<string, Finding[]>();
  readonly values = new Map<string, Finding[]>();
  readonly definitions = new Map<string, Finding[]>();
  readonly absences = new Map<string, Finding[]>();

  constructor(findings: readonly Finding[]) {
    for (const finding of findings) {
      const { rule, at, owner, messages } = finding;
      // Index a changed payload under the name of its message, because that is the name used by
      // code that sends the payload.
      if (rule.startsWith("body."))
        for (const text of messages)
          add(this.messages, text.replace(/ (request|response|event)$/, ""), finding);
      const [, kind = "", name] = /^(request|event) (.*)$/s.exec(owner) ?? [];
      if (name !== undefined) {
        const old = rule === "message.renamed" ? finding.message.split(" → ", 1) : [];
        for (const each of [name, ...old]) {
          add(this.messages, each, finding);
          add(this.messages, `${each}${kind[0]!.toUpperCase()}${kind.slice(1)}`, finding);
        }
        continue;
      }
      const label = at.slice(owner.length);
      const [, place = label, value] = /^(.*?) = (".*")$/s.exec(label) ?? [];
      const part = /\.([^.[\]{}| ]+)[[\]{}]*(?: \| .*)?$/s.exec(place)?.[1];
      if (part === undefined) add(this.definitions, owner, finding);
      else if (value !== undefined)
        add(this.values, `${part} ${JSON.parse(value) as string}`, finding);
      else {
        add(this.properties, part, finding);
        if (byAbsence.test(rule)) add(this.absences, owner, finding);
      }
    }
  }
}

function add(map: Map<string, Finding[]>, key: string, finding: Finding): void {
  const findings = map.get(key);
  if (findings === undefined) map.set(key, [finding]);
  else findings.push(finding);
}

/** Determines which findings affect each syntax node in a file. */
class UseFinder {
  readonly #morph: Morph;
  readonly #index: FindingIndex;
  readonly #found: (finding: Finding, node: Node) => void;

  constructor(morph: Morph, index: FindingIndex, found: (finding: Finding, node: Node) => void) {
    this.#morph = morph;
    this.#index = index;
    this.#found = found;
  }

  visit(node: Node): void {
    const { Node: is } = this.#morph;
    if (is.isPropertyAccessExpression(node))
      this.#property(node.getName(), node.getNameNode().getSymbol(), node.getNameNode());
    else if (is.isElementAccessExpression(node)) {
      const name = node.getArgumentExpression();
      if (name !== undefined && is.isStringLiteral(name))
        this.#property(
          name.getLiteralText(),
          propertyOf(node.getExpression().getType(), name.getLiteralText()),
          name,
        );
    } else if (is.isBindingElement(node)) {
      const name = node.getPropertyNameNode()?.getText() ?? node.getName();
      this.#property(name, propertyOf(node.getParent().getType(), name), node);
    } else if (is.isObjectLiteralExpression(node)) this.#literal(node);
    else if (is.isMethodDeclaration(node) || is.isPropertyDeclaration(node))
      this.#all(this.#index.messages.get(node.getName()), node);
    else if (is.isStringLiteral(node) && !is.isImportDeclaration(node.getParent()))
      this.#text(node.getLiteralText(), node);
    else if (is.isIdentifier(node) && is.isTypeReference(node.getParent()))
      this.#all(this.#index.definitions.get(node.getText()), node);
  }

  #property(name: string, symbol: Symbol | undefined, node: Node): void {
    const findings = this.#index.properties.get(name);
    if (findings === undefined || symbol === undefined) return;
    const owners = new Set(symbol.getDeclarations().flatMap((each) => this.#ownersOf(each)));
    this.#all(
      findings.filter(({ owner }) => owners.has(owner)),
      node,
    );
  }

  /**
   * Returns the names of the declarations that contain a property. One of them may be the name that
   * the model uses for the property's owner.
   */
  #ownersOf(declaration: Node): readonly string[] {
    const { Node: is } = this.#morph;
    const [inner, ...outer] = declaration.getAncestors();
    if (
      inner !== undefined &&
      (is.isInterfaceDeclaration(inner) || is.isTypeAliasDeclaration(inner))
    )
      return [inner.getName()];
    const named = outer.find(
      (each) => is.isInterfaceDeclaration(each) || is.isTypeAliasDeclaration(each),
    );
    if (named === undefined) return [];
    const through = outer.find((each) => is.isPropertySignature(each));
    const whole = named.getName();
    const part = through?.getName() ?? "";
    return [whole, `${whole}${part.slice(0, 1).toUpperCase()}${part.slice(1)}`];
  }

  #literal(node: ObjectLiteralExpression): void {
    const { Node: is } = this.#morph;
    const type = node.getContextualType()?.getNonNullableType();
    const named = new Set<string>();
    for (const property of node.getProperties()) {
      if (is.isSpreadAssignment(property)) continue;
      const name = property.getName().replace(/^["'](.*)["']$/s, "$1");
      named.add(name);
      this.#all(this.#index.messages.get(name), property);
      if (type !== undefined) this.#property(name, propertyOf(type, name), property);
    }
    const owner = (type?.getAliasSymbol() ?? type?.getSymbol())?.getName();
    const absent = this.#index.absences.get(owner ?? "") ?? [];
    this.#all(
      absent.filter(({ at }) => !named.has(at.slice(at.lastIndexOf(".") + 1))),
      node,
    );
  }

  /**
   * Reports the findings that concern a message with this name, or a property that lists this
   * value.
   */
  #text(text: string, node: Node): void {
    this.#all(this.#index.messages.get(text), node);
    const { Node: is } = this.#morph;
    const parent = node.getParent();
    const other = is.isBinaryExpression(parent)
      ? parent.getLeft() === node
        ? parent.getRight()
        : parent.getLeft()
      : is.isCaseClause(parent)
        ? parent
            .getParentOrThrow()
            .getParentIfKind(this.#morph.SyntaxKind.SwitchStatement)
            ?.getExpression()
        : undefined;
    const name =
      other !== undefined && is.isPropertyAccessExpression(other)
        ? other.getName()
        : other !== undefined && is.isIdentifier(other)
          ? other.getText()
          : is.isPropertyAssignment(parent)
            ? parent.getName()
            : undefined;
    if (name !== undefined) this.#all(this.#index.values.get(`${name} ${text}`), node);
  }

  #all(findings: readonly Finding[] | undefined, node: Node): void {
    for (const finding of findings ?? []) this.#found(finding, node);
  }
}

/** Returns the property with the given name from a type or one of its alternatives. */
function propertyOf(type: Type, name: string): Symbol | undefined {
  const present = type.getNonNullableType();
  return (
    present.getProperty(name) ??
    present
      .getUnionTypes()
      .map((each) => each.getProperty(name))
      .find((each) => each !== undefined)
  );
}
