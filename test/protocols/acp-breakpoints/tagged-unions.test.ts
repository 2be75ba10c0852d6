import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { emitPackage, readProtocol } from "../../../cli/index.js";
import type { Json } from "../../../generator/model/types.js";
import { acpSample, address } from "../../support/acp-samples.js";
import { loadPackage } from "../../support/load-package.js";
import { fromRoot, readJson } from "../../support/paths.js";
import { Sampler } from "../../support/sample-values.js";

type Node = { readonly [key: string]: Json };
interface Parser {
  safeParse(value: unknown): { readonly success: boolean };
}

/** Unions with an alternative for unknown tags: it excludes the tags of the other alternatives. */
const unionCounts = { "1": 4, "2": 21 };

const odd: readonly Json[] = [null, 5, address, true, [], {}];

/** Returns a value with each property removed or replaced in turn, down to a depth of two. */
function* variants(value: Json, depth = 2): Generator<Json> {
  yield value;
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth === 0) return;
  const fields = value as Node;
  for (const [name, part] of Object.entries(fields)) {
    const { [name]: _, ...rest } = fields;
    yield rest;
    for (const each of [...odd, ...variants(part, depth - 1)]) yield { ...rest, [name]: each };
  }
}

for (const [version, count] of Object.entries(unionCounts)) {
  test(`tagged unions of ACP ${version} reject what the schema and the SDK reject`, async (t) => {
    const schema = readJson(`schema/acp/${version}.json`) as {
      readonly $defs: Readonly<Record<string, Node>>;
    };
    const names = Object.entries(schema.$defs).flatMap(([name, node]) =>
      [...Object.values(node)].some(
        (part) =>
          Array.isArray(part) &&
          part.some((each) => typeof each === "object" && each !== null && "not" in each),
      )
        ? [name]
        : [],
    );
    assert.equal(names.length, count);
    const protocol = await readProtocol("acp", { version });
    const own = await loadPackage({ protocol, files: await emitPackage(protocol) });
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    ajv.addSchema(schema, "acp");
    const sdk = `node_modules/@agentclientprotocol/sdk/dist/v${version}/schema/zod.gen.js`;
    const parsers = (await import(pathToFileURL(fromRoot(sdk)).href)) as Record<string, Parser>;
    const verdicts = { valid: 0, invalid: 0 };
    for (const [index, name] of names.entries()) {
      const sampler = new Sampler(protocol, index);
      // The description renames the payloads of messages.
      const type = name.replace(/Request$/, "Params").replace(/Response$/, "Result");
      const isValid = own[`isValid${type}`] as ((value: unknown) => boolean) | undefined;
      assert.ok(isValid, name);
      const conforms = ajv.getSchema(`acp#/$defs/${name}`)!;
      for (let round = 0; round < 40; round++) {
        const sample = acpSample(sampler, type, round % 2 === 0 ? "some" : "least") as Json;
        for (const value of variants(sample)) {
          const valid = isValid(value);
          const text = `${name}: ${JSON.stringify(value)}`;
          assert.equal(valid, conforms(value), text);
          if (valid) assert.ok(parsers[`z${name}`]?.safeParse(value).success ?? true, text);
          verdicts[valid ? "valid" : "invalid"]++;
        }
      }
    }
    t.diagnostic(JSON.stringify(verdicts));
  });
}
