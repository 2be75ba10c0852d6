import assert from "node:assert/strict";
import { test } from "node:test";
import * as option from "../../../runtime/base/check-options.js";
import { readInput, testCases } from "../../support/case-list.js";

interface Sample {
  readonly timeoutMs?: number;
  readonly profile?: "wire" | "strict";
  readonly names?: string | readonly string[];
  readonly severity?: Readonly<Record<string, "error" | "off">>;
  readonly signal?: AbortSignal;
  readonly limit?: number;
  readonly onEnd?: () => void;
  readonly isOpen?: boolean;
  readonly table?: object;
  readonly rules?: Readonly<Record<string, number>>;
}

const checks: option.OptionChecks<Sample> = {
  timeoutMs: option.milliseconds,
  profile: option.oneOf("wire", "strict"),
  names: option.either(option.text, option.listOf(option.text)),
  severity: option.recordOf(option.oneOf("error", "off")),
  signal: option.signal,
  limit: option.count,
  onEnd: option.callback,
  isOpen: option.flag,
  table: option.object,
  rules: option.recordOf(
    option.count,
    new Map([
      ["a.b", 1],
      ["a.c", 1],
    ]),
  ),
};

/** Returns the error for the given options, or undefined if they are accepted. */
function refusalOf(given: unknown): string | undefined {
  try {
    option.checkOptions("open", given, checks);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof TypeError);
    return error.message;
  }
}

test("known options with valid values are accepted", () => {
  for (const given of [
    undefined,
    {},
    { timeoutMs: 0, limit: 0, names: "a", isOpen: false, onEnd: () => undefined },
    { timeoutMs: Infinity, names: ["a", "b"], severity: { a: "off" }, table: {} },
    { signal: AbortSignal.abort(), profile: undefined, names: [], severity: {} },
    // A signal from another realm cannot be checked with instanceof.
    { signal: { aborted: false, addEventListener: () => undefined } },
  ])
    assert.equal(refusalOf(given), undefined);
});

testCases("test/cases/options.md", "options are refused", (input) => [
  refusalOf(readInput(input)[0]) ?? "accepted",
]);
