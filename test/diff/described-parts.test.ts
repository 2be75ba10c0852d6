import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { diffVersions, printDiff, type VersionDiff } from "../../cli/index.js";
import { withFolder, writeFiles } from "../support/compile.js";
import { runCommand } from "../support/run-command.js";
import { description, messages, writeProtocol, type Part } from "../support/table-protocol.js";

async function compare(
  before: unknown,
  after: unknown,
  use: (diff: VersionDiff) => void | Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    for (const [name, described] of [
      ["old", before],
      ["new", after],
    ] as const) {
      writeFiles(folder, { [`${name}/placeholder`]: "" });
      writeProtocol(join(folder, name), described);
    }
    await use(await diffVersions(join(folder, "old"), join(folder, "new")));
  });
}

const withEvent = (name: string): Part => ({
  ...description,
  messages: {
    ...messages,
    events: {
      "store/changed": messages.events["store/changed"],
      [name]: messages.events["store/log"],
    },
  },
});

test("renaming an event is not worse than removing it and adding another", async () => {
  await compare(withEvent("store/log"), withEvent("store/notice"), async (diff) => {
    assert.deepEqual(
      diff.findings.map(({ rule, severity, wire }) => [rule, severity, wire]),
      [
        [
          "message.renamed",
          "risky",
          { "new-client/old-store": "lost", "old-client/new-store": "lost" },
        ],
      ],
    );
    const text = await printDiff(diff);
    // Events have no response, so the advice does not mention responses.
    assert.doesNotMatch(
      text,
      /keep answering|answer with an error, or not at all|breaks the session/,
    );
  });
  const essential = { essential: ["store/log"] };
  await compare(
    { ...withEvent("store/log"), ...essential },
    { ...withEvent("store/notice"), essential: ["store/notice"] },
    async (diff) => {
      assert.deepEqual(
        diff.findings.map(({ rule, severity }) => [rule, severity]),
        [["message.renamed", "breaking"]],
      );
      const text = await printDiff(diff);
      assert.match(text, /- keep handling messages from old stores: event store\/notice$/m);
      assert.match(text, /- do not rely on old clients to handle event store\/notice$/m);
    },
  );
});

test("renaming a request breaks whoever uses its name", async () => {
  const withRequest = (name: string): Part => ({
    ...description,
    messages: { ...messages, requests: { [name]: messages.requests["store/get"] } },
  });
  await compare(withRequest("store/get"), withRequest("store/read"), (diff) => {
    assert.deepEqual(
      diff.findings.map(({ rule, severity, wire }) => [rule, severity, wire]),
      [
        [
          "message.renamed",
          "breaking",
          { "new-client/old-store": "rejected", "old-client/new-store": "rejected" },
        ],
      ],
    );
  });
});

test("findings about a message listed in a table have their location in that table", async () => {
  await compare(description, withEvent("store/notice"), async (diff) => {
    const { findings } = JSON.parse(await printDiff(diff, "json")) as {
      findings: readonly { before: Part; after: Part }[];
    };
    const [{ before, after }] = findings as [{ before: Part; after: Part }];
    assert.deepEqual(
      [before, after].map(({ file, pointer, line }) => [
        (file as string).split(/[\\/]/).slice(-2).join("/"),
        pointer,
        line,
      ]),
      [
        ["old/protocol.json", "/messages/events/store~1log", 27],
        ["new/protocol.json", "/messages/events/store~1notice", 31],
      ],
    );
    assert.match(await printDiff(diff, "text"), /new\/protocol\.json:31:/);
    assert.match(await printDiff(diff, "html"), /A text for people\./);
  });
});

test("findings about the body of a message listed in a table have their location in that table", async () => {
  const withResult = (result: string): Part => ({
    ...description,
    messages: {
      ...messages,
      requests: { "store/get": { docs: "Reads a value.", result } },
    },
  });
  await compare(withResult("GetResult"), withResult("GetResult?"), async (diff) => {
    const { findings } = JSON.parse(await printDiff(diff, "json")) as {
      findings: readonly { rule: string; before: Part; after: Part }[];
    };
    assert.deepEqual(
      findings.map(({ rule, before, after }) => [rule, before["pointer"], after["pointer"]]),
      [["type.null-added", "/messages/requests/store~1get", "/messages/requests/store~1get"]],
    );
  });
});

test("a change to the envelope or framing affects every session", async () => {
  await withFolder((folder) => {
    const event = { jsonrpc: "2.0", method: "store/log", params: { text: "a" } };
    writeFiles(folder, {
      "old/placeholder": "",
      "new/placeholder": "",
      "session.jsonl": `${JSON.stringify({ from: "store", message: event })}\n`,
    });
    writeProtocol(join(folder, "old"), description);
    writeProtocol(join(folder, "new"), {
      ...description,
      framing: { client: "lines", store: "lines" },
    });
    const { stdout } = runCommand(folder, [
      "diff",
      "old",
      "new",
      "--session",
      "session.jsonl",
      "--format",
      "json",
    ]);
    const { findings } = JSON.parse(stdout) as { findings: readonly (Part & { after: Part })[] };
    assert.deepEqual(
      findings.map(({ rule, at, after, seen }) => [rule, at, after["pointer"], seen]),
      ["client", "store"].map((role) => [
        "wire.framing-changed",
        `framing of the ${role}`,
        `/framing/${role}`,
        [{ file: "session.jsonl", line: 1 }],
      ]),
    );
  });
});

test("error codes are compared", async () => {
  const withCodes = (errorCodes: Part): Part => ({
    ...description,
    conversation: {
      failures: { text: ["/error/message"], unknown: {}, failed: {}, cancelled: {} },
      errorCodes,
    },
  });
  await compare(
    withCodes({ Kept: 1, Moved: 2, Gone: 3 }),
    withCodes({ Kept: 1, Moved: 4, New: 5 }),
    ({ findings }) => {
      assert.deepEqual(
        findings.map(({ rule, severity, at, message, wire }) => [
          rule,
          severity,
          at,
          message,
          Object.values(wire),
        ]),
        [
          [
            "wire.error-code-changed",
            "risky",
            "errorCodes Moved",
            "2 → 4",
            ["different", "different"],
          ],
          ["wire.error-code-removed", "risky", "errorCodes Gone", "3 → none", ["lost", "lost"]],
          ["wire.error-code-added", "lossy", "errorCodes New", "none → 5", ["lost", "lost"]],
        ],
      );
    },
  );
});
