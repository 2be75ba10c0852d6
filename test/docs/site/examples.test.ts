import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { validate as validateAcp } from "@wirewright/acp-breakpoints/validators";
import { validate as validateDap } from "@wirewright/dap/validators";
import { createEncoder } from "@wirewright/ruby-debug-ide";
import { validate as validateRuby } from "@wirewright/ruby-debug-ide/validators";
import { validate as validateSqltools } from "@wirewright/sqltools/validators";
import { lint, openProtocol } from "../../../cli/index.js";
import type { Examples } from "../../../docs/site/protocol/example.js";
import { readProtocolPages } from "../../../docs/site/protocol/read-protocol-pages.js";
import { fromRoot } from "../../support/paths.js";

type Validate = (
  message: unknown,
  options: { readonly profile: "wire" },
) => { readonly ok: boolean; readonly issues?: unknown };

const validators: Readonly<Record<string, Validate>> = {
  dap: validateDap,
  sqltools: validateSqltools,
  "ruby-debug-ide": validateRuby,
  "acp-breakpoints": validateAcp,
};

function readExamples(name: string): Examples {
  const path = fromRoot(`docs/site/protocol/examples/${name}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as Examples;
}

for (const [name, validate] of Object.entries(validators))
  test(`the ${name} examples are valid messages`, () => {
    const steps = Object.values(readExamples(name).byMessage).flat();
    const results = steps.flatMap(({ message }) =>
      message === undefined ? [] : [validate(message, { profile: "wire" })],
    );
    assert.ok(results.length > 0);
    assert.deepEqual(
      results.filter(({ ok }) => !ok),
      [],
    );
  });

test("every message has examples unless it belongs to an older revision and no program sends it", async () => {
  for (const name of Object.keys(validators)) {
    const { messages } = await openProtocol(name);
    const { byMessage } = readExamples(name);
    const missing = messages.filter(({ kind, name: own }) => !(`${kind} ${own}` in byMessage));
    assert.deepEqual(
      missing.filter(({ set }) => set !== "legacy").map((message) => message.name),
      [],
      name,
    );
  }
});

const tours = fromRoot("test/fixtures/recordings/tours");

for (const tour of readdirSync(tours))
  test(`the tour ${tour} violates no rules`, async () => {
    const protocol = tour.replace(/(-(attach|detach))?\.jsonl$/, "");
    const findings = [];
    for await (const { rule, severity, message } of lint(join(tours, tour), { protocol }))
      if (severity !== "info") findings.push([rule, message]);
    assert.deepEqual(findings, []);
  });

test("an example that is not JSON is shown in its wire format", async () => {
  const { byMessage } = readExamples("ruby-debug-ide");
  const where = byMessage["request where"]!;
  assert.deepEqual(
    where.map(({ from, message, text }) => [
      new TextDecoder().decode(
        createEncoder({ from: from as "frontend" }).encode(message as never),
      ),
      text,
    ]),
    where.map(({ text }) => [text + (text === "where" ? "\n" : ""), text]),
  );
  const pages = await readProtocolPages("ruby-debug-ide");
  const { body } = pages.find(({ title }) => title === "WhereRequest")!;
  assert.match(
    body,
    /## Example\n\nFrom a recorded session of two small programs [^\n]+\n\n<svg [^\n]+\n\n```text wrap\nwhere\n```\n\n```text wrap\n<frames>/,
  );
});
