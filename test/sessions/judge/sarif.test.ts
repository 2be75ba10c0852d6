import assert from "node:assert/strict";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../support/compile.js";
import { readJson } from "../../support/paths.js";
import { runCommand } from "../../support/run-command.js";

interface Run {
  readonly tool: {
    readonly driver: {
      readonly version: string;
      readonly rules: readonly { readonly id: string; readonly help: { readonly text: string } }[];
    };
  };
  readonly automationDetails: object;
  readonly results: readonly {
    readonly ruleId: string;
    readonly ruleIndex: number;
    readonly occurrenceCount: number;
    readonly locations: readonly object[];
    readonly partialFingerprints: Readonly<Record<string, string>>;
  }[];
}

const event = (seq: number, body: object): string =>
  `${JSON.stringify({ seq, type: "event", event: "stopped", body })}\n`;
const recording = [0, 0, 0].map((seq) => event(seq, { reason: "step", theadId: 1 })).join("");
const off = ["--severity", "opening.early=off", "--fail-on", "never", "--format", "sarif"];

function runOf(folder: string, ...args: readonly string[]): Run {
  const { stdout } = runCommand(folder, ["lint", ...args, ...off]);
  return (JSON.parse(stdout) as { runs: [Run] }).runs[0];
}

test("SARIF merges equal findings into one result with the rule, a location and a fingerprint", async () => {
  await withFolder((folder) => {
    writeFiles(folder, { "a b/s.jsonl": recording, "other.jsonl": `\n\n${recording}` });
    const { tool, automationDetails, results } = runOf(folder, "a b/s.jsonl");
    const { version } = readJson("package.json") as {
      version: string;
    };
    assert.equal(tool.driver.version, version);
    assert.deepEqual(automationDetails, { id: "lint/dap/1.71.0" });
    const idOf = ({ ruleIndex }: Run["results"][number]): string =>
      tool.driver.rules[ruleIndex]!.id;
    assert.deepEqual(
      results.map((each) => [each.ruleId, idOf(each), each.occurrenceCount]),
      ["schema.deviation", "schema.misspelt", "stopped.nothing"].map((id) => [id, id, 3]),
    );
    assert.equal(tool.driver.rules[0]!.help.text, "wirewright lint --explain schema.deviation");
    assert.deepEqual(results[0]!.locations, [
      {
        physicalLocation: {
          artifactLocation: { uri: "a%20b/s.jsonl", uriBaseId: "%SRCROOT%" },
          region: { startLine: 1, startColumn: 1 },
        },
        logicalLocations: [{ fullyQualifiedName: "event stopped /seq" }],
      },
    ]);
    const prints = (run: Run): readonly unknown[] =>
      run.results.map(({ partialFingerprints }) => partialFingerprints["wirewright/v1"]);
    assert.equal(new Set(prints({ results } as Run)).size, 3);
    // Another recording with the same quirks gets the same fingerprints.
    assert.deepEqual(prints(runOf(folder, "other.jsonl")), prints({ results } as Run));
  });
});

test("SARIF locates bytes in one file, but not bytes in two files", async () => {
  await withFolder((folder) => {
    const body = '{"seq":1,"type":"event","event":"stopped","body":{"reason":"step","threadId":1}}';
    const frame = `Content-Length: ${body.length}\r\n\r\n${body}`;
    const twice = body.replace('"seq":1', '"seq":2,"seq":2');
    const second = `Content-Length: ${twice.length}\r\n\r\n${twice}`;
    const asked = '{"seq":1,"type":"request","command":"threads"}';
    writeFiles(folder, {
      "in.bin": frame + second,
      "out.bin": `Content-Length: ${asked.length}\r\n\r\n${asked}`,
    });
    const [found] = runOf(folder, "in.bin").results;
    assert.deepEqual(found!.locations, [
      {
        physicalLocation: {
          artifactLocation: { uri: "in.bin", uriBaseId: "%SRCROOT%" },
          region: { byteOffset: frame.length + 22 + 9 },
        },
        logicalLocations: [{ fullyQualifiedName: "event stopped /seq" }],
      },
    ]);
    for (const { locations } of runOf(folder, "in.bin", "out.bin").results)
      assert.deepEqual(locations, []);
  });
});
