/**
 * Tests the Model Context Protocol with the schemas for its versions, and with the official library
 * on either side.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";
import { generate, readProtocol } from "../../../cli/index.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, shared, skipWithout } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";

const versions = ["2025-06-18", "2025-11-25", "2026-07-28"];

const published = skipWithout("schemas/mcp");

const schemaOf = (version: string): string => shared(`schemas/mcp/${version}.json`)!;

suite("the published schemas are read", { skip: published }, () => {
  test("all versions of the published schema can be read unchanged", async () => {
    const counts = [];
    for (const version of versions) {
      const protocol = await readProtocol("mcp", { schema: schemaOf(version) });
      assert.equal(protocol.version, version);
      const by = (kind: string, sender: string): number =>
        protocol.messages.filter((each) => each.kind === kind && each.sender === sender).length;
      counts.push(
        ["request", "event"].map((kind) =>
          ["client", "server", "both"].map((sender) => by(kind, sender)),
        ),
      );
    }
    assert.deepEqual(counts, [
      [
        [12, 3, 1],
        [2, 5, 2],
      ],
      [
        [12, 3, 5],
        [2, 6, 3],
      ],
      [
        [10, 0, 0],
        [0, 7, 1],
      ],
    ]);
  });

  test("every official example is valid", async () => {
    const made = await generate("mcp", { schema: schemaOf("2026-07-28") });
    const mcp = await loadPackage(made);
    const folder = shared("schemas/mcp/examples")!;
    let count = 0;
    for (const definition of readdirSync(folder))
      for (const file of readdirSync(join(folder, definition))) {
        const value: unknown = JSON.parse(readFileSync(join(folder, definition, file), "utf8"));
        const isValid = mcp[`isValid${definition}`] as (value: unknown) => boolean;
        assert.equal(isValid(value), true, `${definition}/${file}`);
        count++;
      }
    assert.equal(count, 129);
  });

  test("diff compares versions of the published schema", () => {
    const { status, stdout } = runCommand(fromRoot("."), [
      "diff",
      schemaOf("2025-06-18"),
      schemaOf("2025-11-25"),
      "--protocol",
      "mcp",
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^mcp 2025-06-18 → 2025-11-25 {3}\d+ breaking · /);
    assert.match(stdout, /CancelledNotificationParams\.requestId: required → optional/);
  });
});
