import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { diffRange, diffVersions, generate, readProtocol } from "../../../cli/index.js";
import { withFolder } from "../../support/compile.js";
import { refusalOf } from "../../support/refusal.js";
import {
  messages,
  object,
  twoVersions,
  types,
  writeProtocol,
} from "../../support/table-protocol.js";

/**
 * The second version has two requests and an event whose definitions are missing from the first.
 */
const described = {
  ...twoVersions,
  messages: {
    ...messages,
    requests: {
      ...messages.requests,
      "store/delete": { docs: "Deletes a key.", params: "DeleteParams", result: "GetResult" },
      "store/count": { docs: "Counts keys.", result: "CountResult" },
    },
    events: { ...messages.events, "store/closed": { docs: "The end.", params: "Closed?" } },
  },
};
const versions = {
  "1.0.0": types,
  "2.0.0": {
    ...types,
    DeleteParams: object({ key: { type: "string" } }),
    CountResult: object({ count: { type: "integer" } }),
    Closed: object({ reason: { type: "string" } }),
  },
};

test("a version lacks those messages whose definitions it lacks", async () => {
  await withFolder(async (folder) => {
    writeProtocol(folder, described, versions);
    const namesOf = async (version: string): Promise<readonly string[]> =>
      (await readProtocol(folder, { version })).messages.map(({ name }) => name);
    const old = ["store/get", "store/log", "store/changed"];
    assert.deepEqual(await namesOf("1.0.0"), old);
    assert.deepEqual(await namesOf("2.0.0"), [
      "store/get",
      "store/delete",
      "store/count",
      "store/log",
      "store/changed",
      "store/closed",
    ]);
    assert.ok((await generate(folder, { version: "1.0.0" })).files.has("types.ts"));
    const { counts, range } = await diffRange("1.0.0..2.0.0", { protocol: folder });
    assert.deepEqual(
      range.since
        .filter(({ kind, version }) => kind === "message" && version === "2.0.0")
        .map(({ at }) => at),
      ["request store/delete", "request store/count", "event store/closed"],
    );
    assert.equal(counts.breaking, 0);
    // A schema file that is passed directly can belong to any version.
    const path = (version: string): string => join(folder, `types-${version}.json`);
    const { findings } = await diffVersions(path("1.0.0"), path("2.0.0"), { protocol: folder });
    assert.deepEqual(
      findings.map(({ rule, at }) => `${rule} ${at}`),
      [
        "message.added-request request store/delete",
        "message.added-request request store/count",
        "message.added-event event store/closed",
      ],
    );
  });
});

test("the newest version must contain all definitions named in the description", async () => {
  await withFolder(async (folder) => {
    writeProtocol(folder, described, { ...versions, "2.0.0": types });
    assert.match(
      await refusalOf(() => readProtocol(folder)),
      /Cannot find the definition "DeleteParams" that the description names .* \[ERR_REF\]/,
    );
    // A schema that contains none of the definitions belongs to another protocol.
    writeProtocol(folder, described, { ...versions, "1.0.0": { StoreError: types["StoreError"] } });
    assert.match(
      await refusalOf(() => readProtocol(folder, { version: "1.0.0" })),
      /Cannot find the definition "GetParams" that the description names .* \[ERR_REF\]/,
    );
  });
});

test("FOLDER@VERSION and FILE@VERSION select a version of a user's protocol", async () => {
  await withFolder(async (folder) => {
    writeProtocol(folder, described, versions);
    for (const name of [folder, join(folder, "protocol.json")]) {
      assert.equal((await readProtocol(`${name}@1.0.0`)).version, "1.0.0");
      const { diff } = await diffVersions(`${name}@1.0.0`, `${name}@2.0.0`);
      assert.deepEqual([diff.before, diff.after], ["1.0.0", "2.0.0"]);
    }
    assert.match(
      await refusalOf(() => readProtocol(`${folder}@3.0.0`)),
      /Cannot find version "3\.0\.0" of the Store protocol \[ERR_UNKNOWN_VERSION\]/,
    );
    assert.match(
      await refusalOf(() => diffVersions("nowhere@1.0.0", folder, { protocol: folder })),
      /or a version such as .*@VERSION$/,
    );
  });
});
