import { test } from "node:test";
import { readProtocol, type Definition, type Protocol } from "../generator/index.js";
import { validationRulesOf } from "../generator/model/validation-rules.js";
import { createValidator } from "../runtime/validation/validator.js";
import { fromRoot } from "./support/paths.js";
import { drafts, readSuite, readSuiteSchema, type Draft } from "./support/suite-schemas.js";

const suite = "/tmp/suite";
const ticker = await readProtocol(fromRoot("test/fixtures/ticker"));

for (const draft of Object.keys(drafts) as Draft[]) {
  test(`${draft}`, () => {
    let passed = 0;
    const failed: string[] = [];
    for (const group of readSuite(suite, draft)) {
      let definitions: readonly Definition[];
      try {
        definitions = readSuiteSchema(group.schema, "X");
      } catch (error) {
        failed.push(`REFUSED ${group.tests.length} ${group.name}: ${(error as Error).message}`);
        continue;
      }
      const protocol: Protocol = { ...ticker, definitions: [...ticker.definitions, ...definitions] };
      const validate = createValidator(
        validationRulesOf(protocol).definitions.get(definitions[0]!.name)!,
      );
      for (const { description, data, valid } of group.tests) {
        if (validate(data).ok === valid) passed++;
        else failed.push(`${valid ? "INVALID" : "VALID"} ${group.name} / ${description}`);
      }
    }
    console.log(draft, passed, failed.length);
    for (const each of failed) console.log("  ", each);
  });
}
