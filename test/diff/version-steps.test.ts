import assert from "node:assert/strict";
import { test } from "node:test";
import { adviseBump, compareVersions, diffProtocols, generate } from "../../cli/index.js";
import { faultOfClaim } from "../../diff/version-bump.js";
import { object, version } from "../support/compared-versions.js";

test("the version step depends on the effects on messages and code", async () => {
  const plain = await version(object({}));
  const more = await version(object({ x: { type: "string" } }), {}, "1.1.0");
  assert.deepEqual(adviseBump(diffProtocols(plain, more)), {
    wire: "minor",
    source: "minor",
    needed: "minor",
    claimed: "minor",
    suffices: true,
  });
  assert.deepEqual(adviseBump(diffProtocols(more, { ...plain, version: "next" })), {
    wire: "minor",
    source: "major",
    needed: "major",
    claimed: undefined,
    suffices: undefined,
  });
  assert.equal(adviseBump(diffProtocols(plain, { ...plain, version: "2.0.0" })).needed, "none");
});

test("--claimed accepts a version, two versions, or the name of a step", async () => {
  const [a, b] = [object({ x: { type: "string" } }), object({ x: { type: "number" } })];
  const breaking = diffProtocols(await version(a), await version(b));
  const judge = (before: string, claim: string): unknown => {
    const { claimed, suffices } = adviseBump({ ...breaking, before }, claim);
    return [claimed, suffices, faultOfClaim(before, claim)];
  };
  assert.deepEqual(judge("1.2.3", "2.0.0"), ["major", true, undefined]);
  assert.deepEqual(judge("1.2.3", "1.3.0"), ["minor", false, undefined]);
  assert.deepEqual(judge("1.2.3", "v1.2.4"), ["patch", false, undefined]);
  assert.deepEqual(judge("1.2.3", "2.0.0-rc.1"), ["major", true, undefined]);
  assert.deepEqual(judge("@scope/name@1.2.3", "1.2.3"), ["none", false, undefined]);
  // Before 1.0.0, a breaking change increments the second number of the version, and any other
  // change the third.
  assert.deepEqual(judge("0.2.3", "0.3.0"), ["major", true, undefined]);
  assert.deepEqual(judge("0.2.3", "0.2.4"), ["minor", false, undefined]);
  assert.deepEqual(judge("old.json", "major"), ["major", true, undefined]);
  assert.deepEqual(judge("old.json", "minor"), ["minor", false, undefined]);
  assert.deepEqual(judge("old.json", "1.2.3..2.0.0"), ["major", true, undefined]);
  assert.deepEqual(judge("old.json", "2.0.0"), [undefined, undefined, "no-old-number"]);
  for (const claim of [
    "banana",
    "",
    "1",
    "1.2",
    "1.2.3.4",
    "1.2.3x",
    "a..b",
    "1.2.3..b",
    "..1.2.3",
  ]) {
    assert.throws(() => judge("1.2.3", claim), { name: "InputError", code: "ERR_ARGUMENT" }, claim);
    assert.equal(faultOfClaim("1.2.3", claim), "no-number");
  }
  assert.equal(faultOfClaim("1.2.3", "1.2.2"), "backwards");
  assert.equal(faultOfClaim("1.2.3", "2.0.0..1.9.9"), "backwards");
});

test("versions can be incompatible even if each step between them is compatible", async () => {
  const text = await version(object({ b: { type: "string" } }), {}, "1.0.0");
  const none = await version(object({}), {}, "1.1.0");
  const number = await version(object({ b: { type: "number" } }), {}, "1.2.0");
  const steps: string[] = [];
  const range = compareVersions([text, none, number], {
    onProgress: (done, all) => void steps.push(`${done}/${all}`),
  });
  assert.deepEqual(
    range.pairs.map(({ before, after, worst, worseThanSteps }) => [
      before,
      after,
      worst,
      worseThanSteps,
    ]),
    [
      ["1.0.0", "1.1.0", "risky", false],
      ["1.0.0", "1.2.0", "breaking", true],
      ["1.1.0", "1.2.0", "lossy", false],
    ],
  );
  assert.deepEqual(range.reused, [
    {
      at: "Payload.b",
      before: { version: "1.0.0", type: "string" },
      after: { version: "1.2.0", type: "number" },
    },
  ]);
  assert.deepEqual(
    range.since.filter(({ at }) => at.startsWith("Payload")),
    [{ kind: "property", at: "Payload.b", version: "1.0.0" }],
  );
  assert.deepEqual(steps, ["1/3", "2/3", "3/3"]);
});

test("generate can add the version in which each name first appeared", async () => {
  const { files } = await generate("dap", { since: true });
  const types = files.get("types.ts")!;
  assert.match(types, /\* @since 1\.42\.0\n \*\/\nexport interface InvalidatedEvent/);
  assert.match(types, /@since 1\.71\.0\n {3}\*\/\n {2}outputPresentation\?:/);
  assert.match(types, /- `"important"`: [^`]*`console`\. \(since[\s*]+1\.51\.0\)/);
  assert.doesNotMatch((await generate("dap")).files.get("types.ts")!, /@since/);
  assert.match(types, /@since 1\.42\.0\n \*\/\nexport type InvalidatedAreas/);
  const old = await generate("dap", { since: true, version: "1.13.0" });
  assert.doesNotMatch(old.files.get("types.ts")!, /@since/);
});
