/**
 * Tests single edits to the official LSP, MCP and CDP schemas, each with the findings it should
 * cause.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { diffProtocols, openProtocolSource, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Json } from "../../generator/model/types.js";
import { fromRoot, shared, skipWithout } from "../support/paths.js";
import { edited, findingLines } from "../support/schema-edits.js";
import { someOf } from "../support/long-tests.js";

const table = fromRoot("test/cases/schema-edits.md");

const schemas: Readonly<Record<string, string>> = {
  lsp: "schemas/lsp/metaModel.json",
  mcp: "schemas/mcp/2025-11-25.json",
  cdp: "schemas/cdp/browser_protocol.json",
};

const sections = readFileSync(table, "utf8")
  .split(/^## /m)
  .map((section) => section.split("\n"));
const isUpdate = process.env["UPDATE_GOLDEN"] !== undefined;

for (const [name, path] of Object.entries(schemas))
  test(
    `single edits to ${name} cause the expected findings`,
    { skip: skipWithout(path) },
    async () => {
      const section = sections.find(([title]) => title === name)!;
      const document = JSON.parse(readFileSync(shared(path)!, "utf8")) as Json;
      const others = name === "cdp" ? [shared("schemas/cdp/js_protocol.json")!] : [];
      const read = async (value: Json): Promise<Protocol> => {
        const text = JSON.stringify(value);
        if (others.length > 0)
          return readProtocol(name, {
            schema: ["-", ...others],
            readStdin: () => Promise.resolve(text),
          });
        return (await openProtocolSource("-", name, { readStdin: () => Promise.resolve(text) }))
          .protocol;
      };
      const before = await read(document);
      const starts = section.flatMap((line, index) => (line.startsWith("- `") ? [index] : []));
      const written = section.slice(0, starts[0]);
      for (const start of isUpdate ? starts : someOf(starts)) {
        const edit = /^- `(.*)`$/.exec(section[start]!)![1]!;
        const end = section.findIndex((line, index) => index > start && !line.startsWith("  - "));
        const known = section
          .slice(start + 1, end < 0 ? undefined : end)
          .map((line) => line.slice(4));
        const lines = findingLines(diffProtocols(before, await read(edited(document, edit))));
        if (isUpdate) written.push(section[start]!, ...lines.map((line) => `  - ${line}`));
        else assert.deepEqual(lines, known, edit);
      }
      if (!isUpdate) return;
      sections[sections.indexOf(section)] = [...written, ""];
      writeFileSync(table, sections.map((lines) => lines.join("\n")).join("## "));
    },
  );
