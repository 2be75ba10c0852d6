import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fromRoot } from "../support/paths.js";
import { entryPoints, packagedProtocols } from "../support/workspaces.js";

type AnyClass = new (...parameters: never[]) => Error;
type Classes = Readonly<Record<string, unknown>>;

const isErrorClass = (value: unknown): value is AnyClass =>
  typeof value === "function" && value.prototype instanceof Error;

/** Collects the names of the error classes exported by the packages and the tool. */
async function exportedErrors(): Promise<readonly string[]> {
  const files = packagedProtocols.flatMap((name) =>
    [...entryPoints(name).values()].map((path) => `build/${path}.js`),
  );
  const names = new Set<string>();
  for (const file of [...files, "build/cli/index.js"]) {
    const module = (await import(pathToFileURL(fromRoot(file)).href)) as Classes;
    for (const [name, value] of Object.entries(module)) if (isErrorClass(value)) names.add(name);
  }
  return [...names].sort();
}

test("every exported error is documented, and every documented error is exported", async () => {
  const page = readFileSync(fromRoot("docs/reference/error-codes.md"), "utf8");
  const ofPlatform = new Set(["AbortError", "SyntaxError", "TypeError", "RangeError"]);
  const documented = new Set(
    [...page.matchAll(/`([A-Z]\w*Error|Refusal)`/g)].map(([, name = ""]) => name),
  );
  assert.deepEqual(
    [...documented].filter((name) => !ofPlatform.has(name)).sort(),
    await exportedErrors(),
  );
});

/**
 * Constructor arguments for each of a package's error classes, with the module that declares the
 * class.
 */
const created: readonly (readonly [file: string, name: string, parameters: readonly unknown[]])[] = [
  ["runtime/connection/call-errors", "TimeoutError", ["late"]],
  ["runtime/connection/call-errors", "ConnectionClosedError", ["over"]],
  ["runtime/connection/request-error", "RequestError", ["no", { code: "ERR_RESULT", command: "x" }]],
  ["runtime/connection/process-ended-error", "ProcessEndedError", [{ exitCode: 1, signal: null }, ""]],
  ["runtime/connection/process-start-error", "ProcessStartError", ["none", {}, new Error("no")]],
  ["runtime/connection/refusal", "Refusal", ["no"]],
  ["protocols/dap/adapter/client-positions", "ClientPositions", []],
  ["protocols/dap/session/session-error", "SessionError", ["ERR_SESSION_ENDED", "over"]],
  ["protocols/dap/testing/session-assertion", "SessionAssertionError", ["no", "account"]],
  ["runtime/frames/no-message-error", "NoMessageError", [{ code: "ERR_NOISE", message: "m", sample: "" }, 1]],
  ["runtime/json/encode-error", "EncodeError", ["ERR_ENCODE_BIGINT", "no", "/a"]],
  ["runtime/lanes/lane-error", "LaneError", ["ERR_COMMAND_FAILED", "x", "m"]],
  ["runtime/validation/describe-issue", "InvalidMessageError", [[]]],
];

for (const [file, name, parameters] of created)
  test(`instanceof recognises ${name} from another copy of its module, and no other error`, async () => {
    const url = pathToFileURL(fromRoot(`build/${file}.js`)).href;
    const [one, other] = ((await Promise.all([import(url), import(`${url}?copy`)])) as Classes[]).map(
      (module) => module[name] as AnyClass,
    ) as [AnyClass, AnyClass];
    assert.notEqual(one, other);
    const error = new other(...(parameters as never[]));
    assert.ok(error instanceof one, "the copy's error");
    assert.ok(new one(...(parameters as never[])) instanceof other, "the error for the copy");
    assert.equal(new TypeError("x") instanceof one, false);
    class Own extends one {}
    assert.equal(error instanceof Own, false, "a subclass");
  });
