import assert from "node:assert/strict";
import { posix } from "node:path";
import { test } from "node:test";
import { emittedModules } from "../../../generator/emit/emitted-modules.js";
import { namePackage, wireDefinitions } from "../../../generator/emit/modules/package-names.js";
import { renameBases } from "../../../generator/emit/rename-bases.js";
import { packageEntries } from "../../../generator/emit/package-entries.js";
import { generate, type GeneratedPackage } from "../../../cli/index.js";
import { answeredRequests } from "../../../generator/model/queries.js";
import { fromRoot } from "../../support/paths.js";

const protocols = [
  "dap",
  "sqltools",
  "ruby-debug-ide",
  "acp-breakpoints",
  fromRoot("test/fixtures/ticker"),
];

const declaration =
  /^export (?:declare |async )?(?:const|function\*?|class|interface|type|namespace) ([\w$]+)/gm;

function exportsOf(text: string): string[] {
  return [...new Set([...text.matchAll(declaration)].map(([, name]) => name!))].sort();
}

/** Lists the names in a file's export braces. */
function reexportsOf(text: string): readonly string[] {
  return [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(
    ([, list]) => list!.match(/\w+(?=\s*(,|$))/g) ?? [],
  );
}

/**
 * Collects the names derived from definitions and messages, which the lists of module exports do
 * not contain.
 */
function derivedNames({ protocol }: GeneratedPackage): ReadonlySet<string> {
  const names = namePackage(protocol);
  return new Set([
    ...protocol.definitions.flatMap(({ name }) => [name, names.check(name), names.validator(name)]),
    ...protocol.messages.flatMap((message) => wireDefinitions(protocol, message).map(names.guard)),
    ...answeredRequests(protocol).map(names.success),
  ]);
}

const packageName = "a-package";

for (const protocol of protocols) {
  const name = protocol.split("/").at(-1);
  const written = await generate(protocol, { packageName });
  const generated = { ...written, protocol: renameBases(written.protocol) };
  const modules = emittedModules(generated.protocol);
  const names = namePackage(generated.protocol);
  const listed = modules.filter(({ readme }) => readme !== undefined);

  test(`each module in ${name} exports the names that it lists`, () => {
    const derived = derivedNames(generated);
    for (const { file, exports } of listed) {
      const own = exportsOf(generated.files.get(file)!).filter((each) => !derived.has(each));
      const listedNames = [...(exports?.(generated.protocol, names) ?? [])].sort();
      assert.deepEqual(listedNames, own, file);
    }
  });

  test(`the README of ${name} lists each module under its entry point`, () => {
    const readme = generated.files.get("README.md")!;
    const entries = packageEntries(generated.protocol);
    const exportedFrom = (entry: string): ReadonlySet<string> =>
      new Set([
        ...exportsOf(generated.files.get(`${entry}.ts`)!),
        ...reexportsOf(generated.files.get(`${entry}.ts`)!),
        ...starred(`${entry}.ts`),
        ...entries
          .filter(({ name }) => name === entry)
          .flatMap(({ values, types }) => [...values, ...types]),
      ]);
    const starred = (path: string): readonly string[] =>
      [...generated.files.get(path)!.matchAll(/^export \* from "([^"]+)\.js"/gm)].flatMap(
        ([, module]) => {
          const from = posix.join(posix.dirname(path), `${module}.ts`);
          const text = generated.files.get(from)!;
          return [...exportsOf(text), ...reexportsOf(text), ...starred(from)];
        },
      );
    const list = readme.slice(readme.indexOf("## Exports"));
    const sections = list.split(/^`([^`]+)`:$/m).slice(1);
    assert.ok(sections.length >= 2);
    const lines: string[] = [];
    for (let index = 0; index < sections.length; index += 2) {
      const entry = sections[index]!.slice(packageName.length + 1) || "index";
      const exported = exportedFrom(entry);
      const named = [...sections[index + 1]!.matchAll(/`([A-Za-z]\w*)`/g)].map(([, each]) => each!);
      assert.notDeepEqual(named, [], entry);
      assert.deepEqual(
        named.filter((each) => !exported.has(each)),
        [],
        entry,
      );
      lines.push(...sections[index + 1]!.split("\n").filter((line) => line.startsWith("- ")));
    }
    const expected = listed.map(({ readme }) => `- ${readme!(generated.protocol, names)}`);
    assert.deepEqual(
      expected.filter((line) => !lines.includes(line)),
      [],
    );
  });
}
