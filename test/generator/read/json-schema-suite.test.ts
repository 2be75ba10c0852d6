import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import AjvDraft04 from "ajv-draft-04";
import { readProtocol } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Definition } from "../../../generator/model/types.js";
import { emitPackage } from "../../../generator/emit/emit-package.js";
import { validationRulesOf } from "../../../generator/model/validation-rules.js";
import { createValidator } from "../../../runtime/validation/validator.js";
import { compile, withProject, writeFiles } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot } from "../../support/paths.js";
import {
  drafts,
  readSuite,
  readSuiteSchema,
  type Draft,
  type SuiteGroup,
} from "../../support/suite-schemas.js";

/**
 * Groups in the JSON Schema Test Suite that the reader refuses, with the reason and the error
 * message.
 */
interface RefusedGroups {
  readonly reason: string;
  readonly message: RegExp;
  /** Names of the groups, each with its file. */
  readonly groups: readonly string[];
}

/** All groups in the JSON Schema Test Suite that the reader refuses. */
const refusedGroups: readonly RefusedGroups[] = [
  {
    reason:
      "The reader never fetches an address, and reads other files only with the user's consent, given with --schema.",
    message: /a reference must refer to the same file/,
    groups: [
      "definitions: validate definition against metaschema",
      "defs: validate definition against metaschema",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first",
      "dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first",
      "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor",
      "dynamicRef: strict-tree schema, guards against misspelled properties",
      "dynamicRef: tests for implementation dynamic anchor and reference link",
      "ref: remote ref, containing refs itself",
      "refRemote: $ref to $ref finds detached $anchor",
      "refRemote: $ref to $ref finds location-independent $id",
      "refRemote: Location-independent identifier in remote ref",
      "refRemote: anchor within remote ref",
      "refRemote: base URI change",
      "refRemote: base URI change - change folder",
      "refRemote: base URI change - change folder in subschema",
      "refRemote: fragment within remote ref",
      "refRemote: ref within remote ref",
      "refRemote: remote HTTP ref with different $id",
      "refRemote: remote HTTP ref with different URN $id",
      "refRemote: remote HTTP ref with nested absolute ref",
      "refRemote: remote ref",
      "refRemote: remote ref with ref to definitions",
      "refRemote: remote ref with ref to defs",
      "refRemote: retrieved nested refs resolve relative to their URI not $id",
      "refRemote: root ref in remote ref",
    ],
  },
  {
    reason:
      "The target of a dynamic reference depends on the references that lead to it. A type has only one target, so only references with a single possible target are read.",
    message: /it may refer to several locations in this file/,
    groups: [
      "dynamicRef: $dynamicRef avoids the root of each schema, but scopes are still registered",
      "dynamicRef: $dynamicRef skips over intermediate resources - direct reference",
      "dynamicRef: A $dynamicRef resolves to the first $dynamicAnchor still in scope that is encountered when the schema is evaluated",
      "dynamicRef: A $dynamicRef that initially resolves to a schema with a matching $dynamicAnchor resolves to the first $dynamicAnchor in the dynamic scope",
      "dynamicRef: A $dynamicRef with intermediate scopes that don't include a matching $dynamicAnchor does not affect dynamic scope resolution",
      "dynamicRef: after leaving a dynamic scope, it is not used by a $dynamicRef",
      "dynamicRef: multiple dynamic paths to the $dynamicRef keyword",
      "unevaluatedItems: unevaluatedItems with $dynamicRef",
      "unevaluatedProperties: unevaluatedProperties with $dynamicRef",
    ],
  },
  {
    reason: "A list without values accepts nothing. In a real schema, it is a mistake.",
    message: /Cannot read "enum"/,
    groups: ["enum: empty enum"],
  },
];

/** Tests whose result differs from the suite's, each with the reason. */
const otherVerdicts: Readonly<Record<string, string>> = {
  "vocabulary: schema that uses custom metaschema with with no validation vocabulary / no validation: invalid number, but it still validates":
    "validation keywords apply, whatever a metaschema in another file says",
};

const suiteFolder = fromRoot("test/json-schema-suite/node_modules/json-schema-test-suite");
const skip = existsSync(join(suiteFolder, "tests"))
  ? false
  : "needs npm install --prefix test/json-schema-suite";

const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));

/** A group with its definitions, the first of which is the type of the values. */
interface ReadGroup extends SuiteGroup {
  readonly definitions: readonly Definition[];
}

interface ReadDraft {
  readonly groups: readonly ReadGroup[];
  /** Groups that the reader refuses, each with the error message. */
  readonly refused: readonly (readonly [group: SuiteGroup, message: string])[];
  /** A protocol made up of the definitions of all groups. */
  readonly protocol: Protocol;
}

function readDraft(draft: Draft): ReadDraft {
  const groups: ReadGroup[] = [];
  const refused: [SuiteGroup, string][] = [];
  for (const [index, group] of readSuite(suiteFolder, draft).entries()) {
    try {
      groups.push({ ...group, definitions: readSuiteSchema(group.schema, `S${index}`) });
    } catch (error) {
      refused.push([group, (error as Error).message]);
    }
  }
  const definitions = [...ticker.definitions, ...groups.flatMap((group) => group.definitions)];
  return { groups, refused, protocol: { ...ticker, definitions } };
}

/** Lists the tests on which a judge disagrees with the suite. */
function disagreements(
  groups: readonly ReadGroup[],
  judge: (group: ReadGroup) => (value: unknown) => boolean,
): readonly string[] {
  return groups.flatMap((group) => {
    const isValid = judge(group);
    return group.tests
      .filter(({ data, valid }) => isValid(data) !== valid)
      .map(({ description }) => `${group.name} / ${description}`);
  });
}

suite("the JSON Schema Test Suite passes", { skip }, () => {
  const seen = new Set<string>();
  for (const draft of Object.keys(drafts) as Draft[]) {
    test(`every schema in ${draft} that is refused has a known reason`, (t) => {
      const { groups, refused } = readDraft(draft);
      const unexplained = refused.filter(
        ([{ name }, message]) =>
          !refusedGroups.some(
            ({ message: pattern, groups: named }) => named.includes(name) && pattern.test(message),
          ),
      );
      assert.deepEqual(
        unexplained.map(([{ name }, message]) => `${name}: ${message}`),
        [],
      );
      for (const [{ name }] of refused) seen.add(name);
      const count = (list: readonly SuiteGroup[]): number =>
        list.reduce((sum, { tests }) => sum + tests.length, 0);
      const byAjv = judgedByAjv(draft, [...groups, ...refused.map(([group]) => group)]);
      t.diagnostic(
        `${draft}: ${count(groups)} tests read, ${count(refused.map(([group]) => group))} of other files and dynamic references refused; ajv: ${byAjv.right} right, ${byAjv.wrong} wrong, ${byAjv.refused} refused`,
      );
    });

    test(`rules agree with the suite ${draft}`, () => {
      const { groups, protocol } = readDraft(draft);
      const rules = validationRulesOf(protocol).definitions;
      const wrong = disagreements(groups, ({ definitions }) => {
        const validate = createValidator(rules.get(definitions[0]!.name)!);
        return (value) => validate(value).ok;
      });
      assert.deepEqual(
        wrong.filter((name) => otherVerdicts[name] === undefined),
        [],
      );
    });

    test(`generated checks and validators agree with the suite ${draft}`, async () => {
      const { groups, protocol } = readDraft(draft);
      const files = await emitPackage(protocol);
      const own = await loadPackage({ protocol, files });
      type Judge = (value: unknown) => boolean | { readonly ok: boolean };
      for (const prefix of ["isValid", "validate"]) {
        const wrong = disagreements(groups, ({ definitions }) => {
          const judge = own[`${prefix}${definitions[0]!.name}`] as Judge;
          return (value) => {
            const verdict = judge(value);
            return typeof verdict === "boolean" ? verdict : verdict.ok;
          };
        });
        assert.deepEqual(
          wrong.filter((name) => otherVerdicts[name] === undefined),
          [],
          prefix,
        );
      }
    });

    test(`generated types for the suite ${draft} compile and accept every valid value`, async () => {
      const { groups, protocol } = readDraft(draft);
      const values = groups.flatMap(({ definitions, schema, tests }, group) =>
        tests
          .filter(({ valid }) => valid)
          .map(({ data }, index) => {
            const text = JSON.stringify(data);
            // Skip values with the keys `__proto__`, `constructor` or `toString`, because
            // TypeScript treats these keys as members of every object.
            return /__proto__|constructor|toString/.test(text + JSON.stringify(schema))
              ? ""
              : `export const v${group}_${index}: types.${definitions[0]!.name} = ${text};`;
          }),
      );
      await withProject(async (folder) => {
        writeFiles(folder, await emitPackage(protocol));
        writeFiles(folder, {
          "values.ts": `import type * as types from "./types.js";\n${values.join("\n")}\n`,
          "package.json": '{ "type": "module" }',
          "tsconfig.json": JSON.stringify({
            compilerOptions: {
              strict: true,
              noUncheckedIndexedAccess: true,
              exactOptionalPropertyTypes: true,
              noEmit: true,
              target: "es2022",
              module: "nodenext",
              types: ["node"],
            },
            include: ["*.ts"],
          }),
        });
        const complaints = compile("TypeScript 7", "-p", folder)
          .split("\n")
          // Ignore excess properties: an object literal may not have undeclared properties, but a
          // value may.
          .filter((line) => /error/.test(line) && !/TS2353|TS2559|TS2561/.test(line));
        assert.deepEqual(complaints, []);
      });
    });
  }

  test("each group listed as refused is refused in at least one draft", () => {
    const listed = refusedGroups.flatMap(({ groups }) => groups);
    assert.deepEqual(
      listed.filter((name) => !seen.has(name)),
      [],
    );
  });
});

/**
 * Counts the tests on which ajv agrees with the suite. As in the reader, references to other files
 * cannot be resolved.
 */
function judgedByAjv(
  draft: Draft,
  groups: readonly SuiteGroup[],
): { right: number; wrong: number; refused: number } {
  const counts = { right: 0, wrong: 0, refused: 0 };
  for (const { schema, tests } of groups) {
    const options = { strict: false, validateFormats: false, logger: false } as const;
    const ajv =
      draft === "draft4"
        ? new (AjvDraft04 as unknown as typeof Ajv)(options)
        : draft === "draft7"
          ? new Ajv(options)
          : new Ajv2020(options);
    try {
      const isValid = ajv.compile(schema as object | boolean);
      for (const { data, valid } of tests) counts[isValid(data) === valid ? "right" : "wrong"]++;
    } catch {
      counts.refused += tests.length;
    }
  }
  return counts;
}
