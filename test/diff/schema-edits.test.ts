/**
 * Tests single edits to the official LSP, MCP and CDP schemas, each with the findings it should
 * cause.
 */
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { diffProtocols, openProtocolSource, readProtocol } from "../../cli/index.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { Json } from "../../generator/model/types.js";
import { CaseList } from "../support/case-list.js";
import { findingLines } from "../support/finding-lines.js";
import { shared, skipWithout } from "../support/paths.js";
import { someOf } from "../support/long-tests.js";

type Holder = { [key: string]: Json };

/**
 * Applies an edit to a copy of a document: `set PATH VALUE`, `add PATH VALUE` to an array, or
 * `drop PATH`.
 *
 * A path is a JSON Pointer without its first slash. In an array, a step may also be an item's name,
 * method or id.
 */
function edited(document: Json, edit: string): Json {
  const [, verb = "", path = "", text = "null"] = /^(set|add|drop) (\S+)(?: (.+))?$/.exec(edit)!;
  const copy = structuredClone(document);
  const steps = path.split("/").map((step) => step.replaceAll("~1", "/"));
  const last = steps.pop()!;
  const holder = steps.reduce<Json>((part, step) => (part as Holder)[keyIn(part, step)]!, copy);
  const key = keyIn(holder, last);
  const value = JSON.parse(text) as Json;
  if (verb === "set") (holder as Holder)[key] = value;
  else if (verb === "add") ((holder as Holder)[key] as Json[]).push(value);
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete (holder as Holder)[key];
  if (JSON.stringify(copy) === JSON.stringify(document))
    throw new Error(`changes nothing: ${edit}`);
  return copy;
}

function keyIn(part: Json, step: string): string {
  if (!Array.isArray(part)) return step;
  const index = (part as readonly Json[]).findIndex((each) =>
    ["name", "method", "id", "domain"].some((key) => (each as Holder | null)?.[key] === step),
  );
  return index < 0 ? step : String(index);
}

const schemas: Readonly<Record<string, string>> = {
  lsp: "schemas/lsp/metaModel.json",
  mcp: "schemas/mcp/2025-11-25.json",
  cdp: "schemas/cdp/browser_protocol.json",
};

const cases = new CaseList("test/cases/schema-edits.md");

for (const [name, path] of Object.entries(schemas))
  test(
    `single edits to ${name} cause the expected findings`,
    { skip: skipWithout(path) },
    async () => {
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
      await cases.check(
        name,
        async (edit) => findingLines(diffProtocols(before, await read(edited(document, edit)))),
        someOf,
      );
    },
  );
