import assert from "node:assert/strict";
import { test } from "node:test";
import { emittedModules } from "../generator/emit/emitted-modules.js";
import { namePackage, wireDefinitions } from "../generator/emit/modules/package-names.js";
import { packageEntries } from "../generator/emit/package-entries.js";
import { generate, type GeneratedPackage } from "../generator/index.js";
import { answeredRequests } from "../generator/model/queries.js";
import { fromRoot } from "./support/paths.js";

const protocols = [
  ...["dap", "sqltools", "ruby-debug-ide", "acp-breakpoints"],
  fromRoot("test/fixtures/ticker"),
];

const declaration =
  /^export (?:declare |async )?(?:const|function\*?|class|interface|type|namespace) ([\w$]+)/gm;

function exportsOf(text: string): string[] {
  return [...new Set([...text.matchAll(declaration)].map(([, name]) => name!))].sort();
}

/** Names that follow from definitions and messages, which no module lists. */
function derivedNames({ protocol }: GeneratedPackage): ReadonlySet<string> {
  const names = namePackage(protocol);
  return new Set([
    ...protocol.definitions.flatMap(({ name }) => [name, names.check(name), names.validator(name)]),
    ...protocol.messages.flatMap((message) => wireDefinitions(protocol, message).map(names.guard)),
    ...answeredRequests(protocol).map(names.success),
  ]);
}

for (const protocol of protocols) {
  const name = protocol.split("/").at(-1);
  const generated = await generate(protocol);
  const modules = emittedModules(generated.protocol);
  const names = namePackage(generated.protocol);
  const listed = modules.filter(({ readme }) => readme !== undefined);

  test(`${name}: each module exports what it lists`, () => {
    const derived = derivedNames(generated);
    for (const { file, exports } of listed) {
      const own = exportsOf(generated.files.get(file)!).filter((each) => !derived.has(each));
      const said = [...(exports?.(generated.protocol, names) ?? [])].sort();
      assert.deepEqual(said, own, file);
    }
  });

  test(`${name}: the README names what can be imported, and every module`, () => {
    const readme = generated.files.get("README.md")!;
    const runtime = packageEntries(generated.protocol);
    const importable = new Set([
      ...[...generated.files]
        .filter(([path]) => path.endsWith(".ts") && !path.includes("/"))
        .flatMap(([, text]) => exportsOf(text)),
      ...runtime.flatMap(({ values, types }) => [...values, ...types]),
    ]);
    const cells = [...readme.matchAll(/`([A-Za-z]\w*)`/g)].map(([, each]) => each!);
    assert.notDeepEqual(cells, []);
    assert.deepEqual(
      cells.filter((each) => !importable.has(each)),
      [],
    );
    const imported = /import \{([^}]*)\}/
      .exec(readme)![1]!
      .replaceAll("type ", "")
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
    assert.deepEqual(
      imported.filter((each) => !importable.has(each)),
      [],
    );
    const name = generated.protocol.packageName;
    assert.deepEqual(
      [...new Set([...readme.matchAll(/^\| `([^`]+)`/gm)].map(([, each]) => each))],
      runtime.map((entry) => (entry.name === "index" ? name : `${name}/${entry.name}`)),
    );
  });
}
