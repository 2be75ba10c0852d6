import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readProtocol } from "../../../cli/index.js";
import { withFolder, writeFiles } from "../../support/compile.js";
import { shared, skipWithout } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";
import { base, reference } from "../../support/meta-model.js";

const metaModel = "schemas/lsp/metaModel.json";

test("generate without a meta model suggests where to get one", () =>
  withFolder((folder) => {
    const { status, stderr } = runCommand(folder, ["generate", "lsp"]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /Cannot read the Language Server Protocol without its schema, which is not bundled \[ERR_NO_SCHEMA\]\n {2}Pass the schema with --schema: metaModel\.json from the specification/,
    );
  }));

test("diff compares meta models, and locates findings in them", () =>
  withFolder((folder) => {
    const model = (message: object): string =>
      JSON.stringify(
        {
          metaData: { version: "3.99.0" },
          requests: [],
          structures: [{ name: "Diagnostic", properties: [{ name: "message", type: message }] }],
          notifications: [
            {
              method: "text/diagnosed",
              messageDirection: "serverToClient",
              params: reference("Diagnostic"),
            },
          ],
        },
        null,
        2,
      );
    const wider = { kind: "or", items: [base("string"), base("null")] };
    writeFiles(folder, { "old.json": model(base("string")), "new.json": model(wider) });
    const { status, stdout } = runCommand(folder, [
      "diff",
      "old.json",
      "new.json",
      "--protocol",
      "lsp",
    ]);
    assert.equal(status, 1);
    assert.match(stdout, /^lsp 3\.99\.0 → 3\.99\.0 {3}1 breaking/);
    const line = model(wider)
      .split("\n")
      .findIndex((each) => each.includes('"name": "message"'));
    assert.match(
      stdout,
      new RegExp(
        `Diagnostic\\.message: string → string \\| null +type\\.null-added +new\\.json:${line}:`,
      ),
    );
  }));

test(
  "all messages and types in the published meta model are read",
  { skip: skipWithout(metaModel) },
  async () => {
    const { messages, definitions, version } = await readProtocol("lsp", {
      schema: shared(metaModel)!,
    });
    const count = (kind: string, sender: string): number =>
      messages.filter((each) => each.kind === kind && each.sender === sender).length;
    assert.deepEqual(
      ["client", "server", "both"].map((sender) => [
        sender,
        count("request", sender),
        count("event", sender),
      ]),
      [
        ["client", 54, 19],
        ["server", 15, 5],
        ["both", 0, 2],
      ],
    );
    assert.equal(version, "3.18.0");
    const model = JSON.parse(readFileSync(shared(metaModel)!, "utf8")) as Record<
      "structures" | "enumerations" | "typeAliases",
      readonly { readonly name: string }[]
    >;
    const names = new Set(definitions.map(({ name }) => name));
    // Structures that extend a private structure own its properties.
    for (const { name } of [...model.structures, ...model.enumerations, ...model.typeAliases])
      assert.equal(names.has(name), !name.startsWith("_"), name);
  },
);
