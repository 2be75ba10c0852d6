import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../conformance/checks.js";
import { newestDap } from "../support/dap-versions.js";
import { readJson } from "../support/paths.js";

/**
 * Ids of the checks for each argument and result of a request, by request, or the reason to have
 * none.
 */
type Coverage = Readonly<
  Record<"arguments" | "result", Readonly<Record<string, Readonly<Record<string, string>>>>>
>;

type Schema = { readonly [keyword: string]: any };

const read = (path: string): any => readJson(path);
const coverage: Coverage = read("conformance/coverage.json");
const rows = Object.entries(coverage).flatMap(([part, requests]) =>
  Object.entries(requests).flatMap(([request, cells]) =>
    Object.entries(cells).map(([name, cell]) => [part, request, name, cell] as const),
  ),
);
const definitions: Readonly<Record<string, Schema>> = read(
  `schema/dap/${newestDap}.json`,
).definitions;

/** Only the argument's whole value matters, or its parts are judged where they are returned. */
const whole = ["Source"];

const nameOf = (schema: Schema): string | undefined => schema["$ref"]?.split("/").pop();

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  if (schema === undefined) return {};
  const name = nameOf(schema);
  if (name !== undefined) return propertiesOf(definitions[name]);
  const parts: readonly Schema[] = schema["allOf"] ?? [];
  return Object.assign({}, ...parts.map(propertiesOf), schema["properties"]);
}

/** Returns the names of properties, with those of an item or of an object one level below. */
function namesBelow(properties: Readonly<Record<string, Schema>>): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const type = schema["items"] ?? schema;
    const below = whole.includes(nameOf(type) ?? "") ? {} : propertiesOf(type);
    return [name, ...Object.keys(below).map((each) => `${name}.${each}`)];
  });
}

test("each argument and each result of a request has a check, or a reason to have none", () => {
  const defined = Object.keys(definitions)
    .filter((name) => /.Request$/.test(name))
    .flatMap((name) => {
      const { command, arguments: args } = propertiesOf(definitions[name]);
      const response = propertiesOf(definitions[name.replace(/Request$/, "Response")]);
      const request: string = command!["enum"][0];
      // The client answers these two.
      if (["runInTerminal", "startDebugging"].includes(request)) return [];
      // `initialize` returns capabilities, which are other checks' gates.
      const body = request === "initialize" ? {} : propertiesOf(response["body"]);
      return [
        ...namesBelow(propertiesOf(args)).map((each) => `${request} arguments ${each}`),
        ...Object.keys(body).map((each) => `${request} result ${each}`),
      ];
    });
  const covered = rows.map(([part, request, name]) => `${request} ${part} ${name}`);
  assert.deepEqual(covered.toSorted(), defined.toSorted());
});

test("a row names existing checks, or gives a reason", () => {
  const ids = new Set(checks.map(({ id }) => id));
  const unknown = rows.flatMap(([, request, name, cell]) =>
    (cell.match(/\b[a-z]+-\d+\b/g) ?? (cell === "" ? ["empty"] : []))
      .filter((id) => !ids.has(id))
      .map((id) => `${request} ${name}: ${id}`),
  );
  assert.deepEqual(unknown, []);
});
