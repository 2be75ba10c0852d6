/** Validates values of a known definition: yes or no, and with a list of issues. */
import { Bench } from "./comparison.js";
import { ajv, typebox, valibot, wirewright, zod, type Validator } from "./validators.js";
import { invalid, valid, type Value } from "./values.js";

const validators: Readonly<Record<string, Validator>> = {
  wirewright,
  "ajv, standalone code": ajv,
  TypeBox: typebox,
  zod,
  valibot,
};

let loops = 0;

/**
 * Creates a loop that counts the values that get the verdict. Each competitor has a loop of its own:
 * in a shared one, they would share type feedback, as no program's validators do.
 */
function loopOf(
  functionOf: (definition: string) => (value: unknown) => unknown,
  values: readonly Value[],
  verdict: string,
): () => number {
  const checks = new Map<string, (value: unknown) => unknown>();
  for (const { definition } of values) checks.set(definition, functionOf(definition));
  const isSingle = checks.size === 1;
  const make = new Function(
    "check",
    "values",
    `/* ${++loops} */ return () => {
      let count = 0;
      for (let index = 0; index < values.length; index++)
        if (check${isSingle ? "" : "[index]"}(values[index]) ${verdict}) count++;
      return count;
    };`,
  ) as (check: unknown, values: readonly unknown[]) => () => number;
  return make(
    isSingle ? [...checks.values()][0] : values.map(({ definition }) => checks.get(definition)),
    values.map(({ value }) => value),
  );
}

const bench = new Bench("validate");
for (const [caption, method, sets, verdict] of [
  ["valid messages", "isValid", valid, "=== true"],
  ["invalid messages", "isValid", invalid, "=== false"],
  ["invalid messages, with issues", "countIssues", invalid, "> 0"],
] as const)
  for (const [name, values] of Object.entries(sets))
    await bench.compare(caption, {
      work: name,
      count: values.length,
      expected: values.length,
      competitors: Object.fromEntries(
        Object.entries(validators).map(([validator, each]) => [
          validator,
          loopOf((definition) => each[method](definition), values, verdict),
        ]),
      ),
    });
await bench.finish();
