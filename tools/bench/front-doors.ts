/**
 * Compares whole-message validation with ajv. `isValid` and `validate`, with the strict and the
 * wire profile, compete with ajv's standalone functions, which are called from a switch on kind and
 * name. Validation from bytes is compared too: our decoder with `isValid` against the official
 * library's reader with ajv.
 */
import assert from "node:assert/strict";
import { isValid, validate } from "@wirewright/dap/validators";
import { workloads, chunksOf, type Workload } from "./codec-corpus.js";
import { official, ours, type Decode } from "./codec-decoders.js";
import { contest } from "./contest.js";
import type { Work } from "./measure.js";
import { selects, type Bench } from "./report.js";
import { ajvFrontDoor } from "./ajv-front-door.js";
import {
  invalid,
  large,
  largeWithOneFault,
  medium,
  mixed,
  small,
  tiny,
} from "./validator-corpus.js";

type Verdict = (value: unknown) => boolean;

const wire = { profile: "wire" } as const;
/**
 * `validate` returns either the message or an array of issues. ajv's functions leave their array of
 * errors in a property.
 */
const validates: Verdict = (value) => validate(value).ok;
const validatesWire: Verdict = (value) => validate(value, wire).ok;

/** Counts the values that get the expected verdict. */
function judge(verdict: Verdict, values: readonly unknown[], expected: boolean): Work {
  // Give each contestant a loop of its own: in a shared loop, the contestants would share type
  // feedback.
  const make = new Function(
    "verdict",
    "values",
    "expected",
    `/* ${++loops} */ return () => {
      let count = 0;
      for (let at = 0; at < values.length; at++) if (verdict(values[at]) === expected) count++;
      return count;
    };`,
  ) as (verdict: Verdict, values: readonly unknown[], expected: boolean) => Work;
  return make(verdict, values, expected);
}

let loops = 0;

/** Parses each message separately, as a reader does, so that messages do not share strings. */
function parsed(values: readonly unknown[]): readonly unknown[] {
  return values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
}

const sets: Readonly<Record<string, readonly [values: readonly unknown[], isRight: boolean]>> = {
  "valid: tiny": [parsed(Array(50).fill(tiny.value)), true],
  "valid: small": [parsed(Array(50).fill(small.value)), true],
  "valid: medium": [parsed(Array(5).fill(medium.value)), true],
  "valid: large": [[large.value], true],
  [`valid: mixed, ${mixed.length} messages`]: [mixed.map(({ value }) => value), true],
  [`invalid: ${invalid.length} messages`]: [invalid.map(({ value }) => value), false],
  "invalid: 1 of 1,000 variables": [[largeWithOneFault.value], false],
};

/** Decodes all chunks and validates each message. */
function readAndJudge(decode: Decode, verdict: Verdict, load: Workload, size: number): Work {
  const chunks = chunksOf(load.framed, size);
  return () => {
    let count = 0;
    void decode(chunks, load.messages.length, (message) => {
      if (verdict(message)) count++;
    });
    return count;
  };
}

export const bench: Bench = async (report, options) => {
  const first = await ajvFrontDoor(false);
  // Generating ajv's other code takes a second, so do it only for selected rows.
  const areListed = Object.keys(sets).some(
    (name) => selects(options, ["validate", name]) || selects(options, ["validate, wire", name]),
  );
  const [all, closed] = areListed
    ? [await ajvFrontDoor(true), await ajvFrontDoor(true, true)]
    : [first, first];
  const turns = { ...options, turnMs: 12, warmMs: 500 };
  const table = report.table("whole messages", ["function", "messages"], {
    wirewright: "ns per message",
  });
  for (const [name, [values, isRight]] of Object.entries(sets)) {
    const doors = { isValid: [isValid, first], validate: [validates, all] } as const;
    for (const [door, [own, ajv]] of Object.entries(doors)) {
      if (!selects(options, [door, name])) continue;
      const works = {
        wirewright: judge(own, values, isRight),
        "ajv, switched by name": judge(ajv, values, isRight),
      };
      for (const work of Object.values(works)) assert.equal(await work(), values.length, name);
      table.row([door, name], await contest(works, values.length, turns));
    }
    // Omit invalid messages that the wire profile accepts, because ajv would reject them.
    const agreed = values.filter((value) => validatesWire(value) === isRight);
    report.outcome(`wire: ${name}`, agreed.length);
    if (!selects(options, ["validate, wire", name])) continue;
    const works = {
      wirewright: judge(validatesWire, agreed, isRight),
      "ajv, switched by name": judge(all, agreed, isRight),
      "ajv, no unknown fields": judge(closed, agreed, isRight),
    };
    for (const work of Object.values(works)) assert.equal(await work(), agreed.length, name);
    table.row(["validate, wire", name], await contest(works, agreed.length, turns));
  }
  const reading = report.table("from bytes to checked messages", ["messages"], {
    "decoder and isValid": "ns per message",
  });
  const { tiny, output, outputWide, stack, mixed, large } = workloads;
  for (const load of [tiny, output, outputWide, stack, mixed, large]) {
    if (!selects(options, ["reading", load.name])) continue;
    const works = {
      "decoder and isValid": readAndJudge(ours, isValid, load, 65_536),
      "official and ajv": readAndJudge(official, first, load, 65_536),
      "official, no check": readAndJudge(official, () => true, load, 65_536),
      "decoder, no check": readAndJudge(ours, () => true, load, 65_536),
    };
    for (const work of Object.values(works)) assert.equal(await work(), load.messages.length);
    reading.row([load.name], await contest(works, load.messages.length, turns));
  }
};
