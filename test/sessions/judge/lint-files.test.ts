import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lint, openProtocol, type LintFileOptions, type LintFinding } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";

/**
 * A client requests a stack trace before the configuration is done, and an adapter sends a response
 * twice.
 */
const session = [
  ["client", { seq: 1, type: "request", command: "initialize", arguments: { adapterID: "a" } }],
  ["adapter", { seq: 1, type: "response", request_seq: 1, success: true, command: "initialize" }],
  ["adapter", { seq: 2, type: "response", request_seq: 1, success: true, command: "initialize" }],
  ["client", { seq: 2, type: "request", command: "goto", arguments: { threadId: 1, targetId: 2 } }],
] as const;

const text = session.map(([from, message]) => `${JSON.stringify({ from, message })}\n`).join("");
const bytes = new TextEncoder().encode(text);

async function rulesOf(
  files: Parameters<typeof lint>[0],
  options: LintFileOptions = { protocol: "dap" },
): Promise<readonly string[]> {
  const found: LintFinding[] = [];
  for await (const finding of lint(files, options)) found.push(finding);
  return found.map(({ rule, index }) => `${rule} #${index}`);
}

const expected = ["response.double #3"];

test("lint applies all of the protocol's rules, whatever form the recording takes", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "session.jsonl");
    writeFileSync(path, text);
    const whole = await rulesOf(path);
    assert.ok(whole.includes(expected[0]!), whole.join());
    assert.ok(whole.length > 1, whole.join());
    const stream = async function* (): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    };
    assert.deepEqual(await rulesOf(bytes), whole);
    assert.deepEqual(await rulesOf([bytes]), whole);
    assert.deepEqual(await rulesOf(stream()), whole);
    assert.deepEqual(await rulesOf({ name: "a", chunks: [bytes] }), whole);
    assert.deepEqual(await rulesOf(bytes, { protocol: await openProtocol("dap") }), whole);
    assert.deepEqual(
      await rulesOf(bytes, { protocol: "dap", severity: { "response.double": "off" } }),
      whole.filter((each) => !each.startsWith("response.double")),
    );
    const withHost = await rulesOf(bytes, { protocol: "dap", host: "visual-studio" });
    assert.ok(
      withHost.some((each) => each.startsWith("VS-")),
      withHost.join(),
    );
  });
});

test("lint yields findings before the recording has ended, and stops reading when its consumer stops", async () => {
  let isReleased = false;
  const endless = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield bytes;
      const noise = new TextEncoder().encode('{"from":"client","message":{}}\n'.repeat(1_000));
      for (;;) yield noise;
    } finally {
      isReleased = true;
    }
  };
  for await (const { rule } of lint(endless(), { protocol: "dap" }))
    if (rule === "response.double") break;
  assert.equal(isReleased, true);
});

test("lint rejects with its signal's reason, even while waiting for a file", async () => {
  const reason = new Error("enough");
  await assert.rejects(
    rulesOf(bytes, { protocol: "dap", signal: AbortSignal.abort(reason) }),
    reason,
  );
  const silent: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
  };
  const controller = new AbortController();
  const ended = assert.rejects(
    rulesOf(silent, { protocol: "dap", signal: controller.signal }),
    reason,
  );
  setImmediate(() => controller.abort(reason));
  await ended;
});

test("lint rejects with an InputError if the recording cannot be read", async () => {
  await assert.rejects(rulesOf("does-not-exist.jsonl"), { name: "InputError", code: "ERR_READ" });
});
