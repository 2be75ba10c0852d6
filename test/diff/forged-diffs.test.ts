import assert from "node:assert/strict";
import { test } from "node:test";
import { marked } from "marked";
import { SaxesParser } from "saxes";
import { diffFormats, printDiff, printRange } from "../../cli/print-diff.js";
import { judgeFindings } from "../../diff/accepted-findings.js";
import { diffProtocols } from "../../diff/diff-protocols.js";
import { verdicts } from "../../diff/compare/outcomes.js";
import { rules } from "../../diff/compare/rules.js";
import { diffSeverities } from "../../diff/finding.js";
import type { DiffReport } from "../../diff/report/diff-report.js";
import { adviseBump, bumps } from "../../diff/version-bump.js";
import { compareVersions } from "../../diff/version-range.js";
import { readProtocol } from "../../cli/index.js";
import { openProtocolSource } from "../../generator/read/protocol-source.js";
import {
  assertPlain,
  assertShown,
  forged,
  poison,
  assertSamePage,
  assertAnnotations,
} from "../support/forged-text.js";
import { fromRoot } from "../support/paths.js";

const place = { file: forged, pointer: forged, line: 3, column: 4 };

/**
 * Checks that untrusted text does not add a link, picture, HTML, mention of a person or
 * strikethrough to rendered Markdown.
 */
function assertMarkdown(text: string, withText: (text: string) => string): void {
  assertPlain(text, "markdown");
  const tags = (source: string): readonly string[] => {
    const page = marked.parse(source, { async: false });
    const read = page
      .replaceAll(/<code>[^]*?<\/code>/g, "<code>")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&#39;", "'");
    assert.doesNotMatch(read, /@\w|#\d|:\/\/|www\./);
    // Ignore code spans, because untrusted text may be split over several of them.
    return (page.match(/<[^>]*>/g) ?? []).filter((tag) => !/^<\/?code>$/.test(tag));
  };
  assert.deepEqual(tags(text), tags(withText("x")));
}

const words = new Set<string>([
  ...diffSeverities,
  ...verdicts,
  ...bumps,
  ...rules.keys(),
  "missing",
  "type",
  "excess",
  "removed",
  "overlap",
  "always",
  "direct-use",
  "whole-value",
  "definition.renamed",
  "strict",
  "schema",
  "tolerant",
  "none",
  "message",
  "property",
  "value",
]);

const foreignKeys = new Set(["wire", "source", "message"]);

async function hostileDiff(): Promise<DiffReport> {
  const open = async (name: string) =>
    openProtocolSource(
      fromRoot(`test/fixtures/hostile-pair/${name}.json`),
      fromRoot("test/fixtures/elementary"),
    );
  const [before, after] = [await open("before"), await open("after")];
  const diff = diffProtocols(before.protocol, after.protocol);
  const known = { rule: "type.changed", at: "A.b", reason: "r" };
  return {
    diff: { ...diff, notes: [{ rule: "definition.renamed", before: "Old", after: "New" }] },
    bump: adviseBump(diff, "2.0.0"),
    ...judgeFindings(diff.findings, [known, { ...known, until: "2020-01-01" }], "2021-01-01"),
  };
}

for (const format of diffFormats) {
  for (const expand of [false, true]) {
    test(`diff escapes every field in a report as ${format}${expand ? ", all of it" : ""}`, async () => {
      const harmless = await hostileDiff();
      const render = (text: string, colours = false): Promise<string> => {
        const report = poison(harmless, text, { words, foreignKeys });
        const at = { ...place, file: `${text}a.json` };
        const file = { name: text, value: null, locate: () => at };
        return printDiff({ ...report, before: file, after: file }, format, {
          from: "doc",
          expand,
          colours,
        });
      };
      const text = await render(forged);
      const plain = await render("x");
      switch (format) {
        case "text": {
          assertPlain(text, format);
          assert.equal(text.split("\n").length, plain.split("\n").length);
          const coloured = await render(forged, true);
          assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, "").length > 0, true);
          assertPlain(coloured.replaceAll(/\u001b\[(31|32|33|36|2|1|0)m/g, ""), "colours");
          break;
        }
        case "markdown":
          assertMarkdown(text, () => plain);
          break;
        case "html":
          assertSamePage(text, () => plain);
          break;
        case "github":
          assertAnnotations(text, plain.split("\n").length);
          break;
        case "junit": {
          assertPlain(text, format);
          const names = (source: string): readonly string[] => {
            const found: string[] = [];
            const parser = new SaxesParser();
            parser.on("opentag", ({ name, attributes }) => {
              found.push(name, ...Object.keys(attributes));
              for (const value of Object.values(attributes)) assertShown(String(value), name);
            });
            parser.on("text", (each) => assertShown(each, format));
            parser.write(source).close();
            return found;
          };
          assert.deepEqual(names(text), names(plain));
          break;
        }
        case "json": {
          assertPlain(text, format);
          const report = poison(harmless, forged, { words, foreignKeys });
          const parsed = JSON.parse(text) as { findings: object[]; notes: object[] };
          assert.deepEqual(parsed.notes, report.diff.notes);
          assert.deepEqual(
            parsed.findings,
            report.findings.map((finding) =>
              asJson({
                ...finding,
                before: finding.before && { ...place, file: `${forged}a.json` },
                after: finding.after && { ...place, file: `${forged}a.json` },
              }),
            ),
          );
          break;
        }
        case "sarif": {
          assertPlain(text, format);
          const parsed = JSON.parse(text) as {
            runs: [{ results: { message: { text: string }; locations: Location[] }[] }];
          };
          interface Location {
            physicalLocation: { artifactLocation: { uri: string } };
            logicalLocations: { fullyQualifiedName: string }[];
          }
          for (const { message, locations } of parsed.runs[0].results) {
            assertPlain(message.text, "a result");
            for (const { physicalLocation, logicalLocations } of locations) {
              assert.match(physicalLocation.artifactLocation.uri, /^[\w.~!*'()%/-]+$/);
              for (const { fullyQualifiedName } of logicalLocations)
                assertPlain(fullyQualifiedName, "a name");
            }
          }
          break;
        }
        default:
          format satisfies never;
      }
    });
  }
}

for (const format of diffFormats) {
  test(`diff escapes every field in a range report as ${format}`, async () => {
    const versions = ["1.51.0", "1.65.0", "1.71.0"];
    const protocols = await Promise.all(
      versions.map((version) => readProtocol("dap", { version })),
    );
    const compared = compareVersions(protocols);
    const range = {
      ...compared,
      pairs: compared.pairs.map((pair) => ({ ...pair, worseThanSteps: true })),
      since: [
        ...compared.since.slice(0, 3),
        { kind: "value", at: "a", version: "1.65.0", until: "1.71.0" } as const,
      ],
      reused: [
        {
          at: "A.b",
          before: { version: "1.51.0", type: "string" },
          after: { version: "1.71.0", type: "number" },
        },
      ],
    };
    const { diff, bump: _, ...judgement } = await hostileDiff();
    const cell = { diff, ...judgement };
    for (const expand of [false, true]) {
      const isBrief = format === "text" || format === "json" || format === "markdown";
      const cells = expand || !isBrief ? [cell, cell, cell] : [];
      const render = (text: string): Promise<string> => {
        const poisoned = poison({ range, cells }, text, { words, foreignKeys });
        const file = { name: text, value: null, locate: () => ({ ...place, file: text }) };
        const schemas = Object.assign(new Map(), { get: () => file });
        return printRange({ ...poisoned, schemas }, format, {
          from: "doc",
          expand,
          columns: 1_000_000,
        });
      };
      const [text, plain] = [await render(forged), await render("x")];
      if (format === "markdown") assertMarkdown(text, () => plain);
      else if (format === "html") assertSamePage(text, () => plain);
      else if (format === "github") assertAnnotations(text, plain.split("\n").length);
      else assertPlain(text, format);
      if (format === "text") assert.equal(text.split("\n").length, plain.split("\n").length);
      if (format === "json" && !expand) {
        const {
          report: _report,
          reportVersion: _version,
          ...rest
        } = JSON.parse(text) as Record<string, unknown>;
        assert.deepEqual(rest, poison(range, forged, { words, foreignKeys }));
      }
    }
  });
}

/** Leaves out absent fields, as JSON does. */
function asJson(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}
