import assert from "node:assert/strict";
import { test } from "node:test";
import * as option from "../../../runtime/base/check-options.js";

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

test("the error for an unknown option suggests the closest match", () => {
  const all = Object.keys(checks).join(", ");
  const cases: [object, string][] = [
    [{ timeout: 300 }, 'open: unknown option "timeout". Did you mean "timeoutMs"?'],
    [{ Profile: "wire" }, 'open: unknown option "Profile". Did you mean "profile"?'],
    [{ breakpoints: [] }, `open: unknown option "breakpoints". Options: ${all}`],
    [{ toString: 1 }, `open: unknown option "toString". Options: ${all}`],
    [JSON.parse('{"__proto__": 1}') as object, `open: unknown option "__proto__". Options: ${all}`],
  ];
  for (const [given, message] of cases) assert.equal(refusalOf(given), message);
});

test("an unusable value is refused, and the error describes the expected value", () => {
  const cases: [unknown, string][] = [
    [null, "open: options must be an object, not null"],
    ["wire", 'open: options must be an object, not "wire"'],
    [[], "open: options must be an object, not an array"],
    [
      { timeoutMs: -1 },
      'the option "timeoutMs" must be a number of milliseconds, at least 0, not -1',
    ],
    [
      { timeoutMs: NaN },
      'the option "timeoutMs" must be a number of milliseconds, at least 0, not NaN',
    ],
    [
      { timeoutMs: "5" },
      'the option "timeoutMs" must be a number of milliseconds, at least 0, not "5"',
    ],
    [{ limit: 1.5 }, 'the option "limit" must be a whole number, at least 0, not 1.5'],
    [
      { profile: "srtict" },
      'the option "profile" must be one of "wire", "strict" (did you mean "strict"?), not "srtict"',
    ],
    [{ profile: 1 }, 'the option "profile" must be one of "wire", "strict", not 1'],
    [
      { names: ["a", 1] },
      'the option "names" must be a string or an array, each item a string, not an array',
    ],
    [{ severity: [] }, 'the option "severity" must be an object, not an array'],
    [
      { severity: { a: "error", b: "eror" } },
      'the option "severity" must be an object in which "b" is one of "error", "off" (did you mean "error"?)',
    ],
    [
      { rules: { "a.b": 1, "a.cd": 2 } },
      'the option "rules" must be an object without "a.cd" (did you mean "a.c"?)',
    ],
    [
      { signal: new AbortController() },
      'the option "signal" must be an AbortSignal, not an object',
    ],
    [{ signal: null }, 'the option "signal" must be an AbortSignal, not null'],
    [{ onEnd: {} }, 'the option "onEnd" must be a function, not an object'],
    [{ isOpen: "yes" }, 'the option "isOpen" must be true or false, not "yes"'],
    [{ table: null }, 'the option "table" must be an object, not null'],
    [{ table: () => 1 }, 'the option "table" must be an object, not a function'],
  ];
  for (const [given, message] of cases)
    assert.equal(refusalOf(given), message.startsWith("open: ") ? message : `open: ${message}`);
});
