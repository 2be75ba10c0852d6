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
import { compile, withFolder, writeFiles } from "../../support/compile.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot } from "../../support/paths.js";
import { otherVerdicts, refusedGroups } from "../../support/suite-exceptions.js";
import {
  drafts,
  readSuite,
  readSuiteSchema,
  type Draft,
  type SuiteGroup,
} from "../../support/suite-schemas.js";

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
      await withFolder(async (folder) => {
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
