import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Node, Project, type ExportedDeclarations, type PropertySignature } from "ts-morph";
import { fromRoot } from "../support/paths.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";

/**
 * Exports that need no explanation: `isValidX` and `validateX` for each type, `isX` for each message,
 * and the types of schemas without descriptions.
 */
const named =
  /^generated\/(\w+(-\w+)*\/(checks|validators)\.ts|\w+(-\w+)*\/guards\.ts: is[\w$]+(Request|Response|Event|Notification|Element)$|(sqltools|acp-breakpoints)\/types\.ts)/;

interface Exported {
  readonly name: string;
  readonly file: string;
  readonly declarations: readonly ExportedDeclarations[];
}

const symbols: Exported[] = [];

const entriesOf = (name: string): readonly string[] =>
  [...entryPoints(name).values()].map((path) => `${path}.ts`);

before(() => {
  const project = new Project({
    tsConfigFilePath: fromRoot("tsconfig.base.json"),
    skipAddingFilesFromTsConfig: true,
  });
  const seen = new Set<Node>();
  for (const entry of ["cli/index.ts", ...packagedProtocols.flatMap(entriesOf)])
    for (const [name, declarations] of project
      .addSourceFileAtPath(fromRoot(entry))
      .getExportedDeclarations()) {
      const first = declarations[0]!;
      if (seen.has(first)) continue;
      seen.add(first);
      const file = first
        .getSourceFile()
        .getFilePath()
        .slice(fromRoot("").length)
        .replace(/^\//, "");
      symbols.push({ name, file, declarations });
    }
});

function textOf(node: Node): string {
  const documented = Node.isVariableDeclaration(node) ? node.getVariableStatement() : node;
  if (documented === undefined || !Node.isJSDocable(documented)) return "";
  return documented
    .getJsDocs()
    .map((doc) => doc.getDescription().trim())
    .join("\n");
}

test("every exported symbol has a summary", () => {
  const missing = symbols
    .filter(
      ({ name, file, declarations: [first] }) =>
        !named.test(`${file}: ${name}`) && !Node.isSourceFile(first),
    )
    .filter(({ declarations }) => declarations.every((each) => textOf(each) === ""))
    .map(({ name, file }) => `${file}: ${name}`);
  assert.deepEqual(missing, []);
  assert.ok(symbols.length > 3_000, `${symbols.length} symbols`);
});

test("every link in a comment points to an exported symbol", () => {
  const names = new Set(symbols.map(({ name }) => name));
  const broken = symbols.flatMap(({ file, declarations }) =>
    declarations
      .flatMap((each) => [...each.getFullText().matchAll(/\{@link (\w+)/g)])
      .filter(([, target]) => !names.has(target!))
      .map(([link]) => `${file}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

/** Returns whether the option accepts only numbers, booleans or string literals. */
function isValue(property: PropertySignature): boolean {
  const type = property.getType().getNonNullableType();
  const parts = type.isUnion() ? type.getUnionTypes() : [type];
  return parts.every((part) => part.isNumber() || part.isBoolean() || part.isLiteral());
}

test("every option that is a number, a choice or a boolean documents its default", () => {
  const options = symbols
    .filter(({ name, file }) => /Options$/.test(name) && !/\/types\.ts$/.test(file))
    .flatMap(({ name, file, declarations }) =>
      declarations
        .filter((each) => Node.isInterfaceDeclaration(each))
        .flatMap((each) => [each, ...each.getBaseDeclarations()])
        .filter((each) => Node.isInterfaceDeclaration(each))
        .flatMap((each) => each.getProperties())
        .map((property) => ({ property, place: `${file}: ${name}.${property.getName()}` })),
    )
    .filter(({ property }) => property.hasQuestionToken() && isValue(property));
  const missing = options
    .filter(({ property }) => !/default/i.test(textOf(property)))
    .map(({ place }) => place);
  assert.deepEqual(missing, []);
  assert.ok(options.length > 40, `${options.length} options`);
});
