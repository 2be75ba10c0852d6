/**
 * Goes from bytes to checked messages, as a program does: our decoder and `isValid` against the
 * official library's reader and ajv's standalone functions, which are called from a switch on kind
 * and name. Also compares these ways to check a message by themselves.
 */
import { pathToFileURL } from "node:url";
import { isValid, validate } from "@wirewright/dap/validators";
import { Bench } from "./comparison.js";
import { official, wirewright, type Decode } from "./decoders.js";
import { writeAjvSwitch } from "./validators.js";
import { invalid, valid } from "./values.js";
import { chunksOf, workloads } from "./workloads.js";

type Check = (value: unknown) => boolean;

/** Loads ajv's functions with the switch around them. */
async function ajvSwitch(allErrors: boolean): Promise<Check> {
  const path = pathToFileURL(await writeAjvSwitch(allErrors)).href;
  return ((await import(path)) as { readonly validate: Check }).validate;
}

const first = await ajvSwitch(false);
const all = await ajvSwitch(true);
const bench = new Bench("front-doors");

const doors: Readonly<Record<string, readonly [Decode, Check]>> = {
  wirewright: [wirewright, isValid],
  "official library and ajv": [official, first],
  "wirewright, unchecked": [wirewright, () => true],
  "official library, unchecked": [official, () => true],
};
for (const { name, messages, framed } of workloads) {
  const chunks = chunksOf(framed, 65536);
  await bench.compare("from bytes to checked messages", {
    work: name,
    count: messages.length,
    expected: messages.length,
    competitors: Object.fromEntries(
      Object.entries(doors).map(([door, [decode, check]]) => [
        door,
        () => {
          let count = 0;
          void decode(chunks, (message) => {
            if (check(message)) count++;
          });
          return count;
        },
      ]),
    ),
  });
}

let loops = 0;

/** Creates a loop that counts the verdicts. Each has type feedback of its own: see `validate.ts`. */
function loopOf(check: Check, values: readonly unknown[], verdict: boolean): () => number {
  const make = new Function(
    "check",
    "values",
    `/* ${++loops} */ return () => {
      let count = 0;
      for (let index = 0; index < values.length; index++)
        if (check(values[index]) === ${verdict}) count++;
      return count;
    };`,
  ) as (check: Check, values: readonly unknown[]) => () => number;
  return make(check, values);
}

for (const [caption, ours, theirs] of [
  ["isValid, whole messages", isValid, first],
  ["validate, whole messages", (value: unknown) => validate(value).ok, all],
] as const)
  for (const [sets, verdict] of [
    [valid, true],
    [invalid, false],
  ] as const)
    for (const [name, set] of Object.entries(sets)) {
      const values = set.map(({ value }) => value);
      await bench.compare(caption, {
        work: `${verdict ? "valid" : "invalid"}: ${name}`,
        count: values.length,
        expected: values.length,
        competitors: {
          wirewright: loopOf(ours, values, verdict),
          "ajv, switched by name": loopOf(theirs, values, verdict),
        },
      });
    }
await bench.finish();
