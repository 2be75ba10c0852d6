import assert from "node:assert/strict";
import { test } from "node:test";
import AjvDraft04 from "ajv-draft-04";
import { diffProtocols } from "../../diff/diff-protocols.js";
import type { Finding } from "../../diff/finding.js";
import { rules } from "../../diff/compare/rules.js";
import type { Protocol } from "../../generator/model/protocol.js";
import { typesIn } from "../../generator/model/type-checks.js";
import { openProtocolSource } from "../../generator/read/protocol-source.js";
import { bundledDap, dapSchemaText } from "../support/dap-versions.js";
import { definitionOf, normaliseSchema } from "../support/normalised-schema.js";
import { isLong } from "../support/long-tests.js";
import { seeded } from "../support/sample-values.js";
import { readFileSync } from "node:fs";
import { fromRoot } from "../support/paths.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

const description = readFileSync(fromRoot("schema/dap/protocol.json"), "utf8");

/** Lists definitions that neither the description nor any message mentions. */
function freeDefinitions(schema: Schema): readonly string[] {
  const isMessage = /(Request|Response|Event|ProtocolMessage)$/;
  return Object.keys(schema["definitions"] as object).filter(
    (name) => !isMessage.test(name) && !new RegExp(`"${name}["/]`).test(description),
  );
}

function isRecursive(definitions: { [name: string]: Schema }, name: string): boolean {
  const seen = new Set<string>();
  const visit = (each: string): void => {
    for (const [, target] of JSON.stringify(definitions[each]).matchAll(/"#\/definitions\/(\w+)"/g))
      if (!seen.has(target!)) {
        seen.add(target!);
        visit(target!);
      }
  };
  visit(name);
  return seen.has(name);
}

function shuffled(node: Json, random: () => number): Json {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((each) => shuffled(each, random));
  const entries = Object.entries(node).map(([key, each]): [string, Json] => {
    const isSet = key === "required" || (key === "type" && Array.isArray(each));
    const value = shuffled(each, random);
    return [key, isSet && Array.isArray(value) ? inDisorder(value, random) : value];
  });
  const object = Object.fromEntries(inDisorder(entries, random));
  const values = object["enum"] ?? object["_enum"];
  if (Array.isArray(values) && values.length > 1) {
    const order = inDisorder([...values.keys()], random);
    for (const key of ["enum", "_enum", "enumDescriptions"]) {
      const list = object[key];
      if (Array.isArray(list)) object[key] = order.map((index) => list[index]!);
    }
  }
  return object;
}

function inDisorder<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item): [number, Item] => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

interface Version {
  readonly name: string;
  readonly schema: Schema;
  readonly protocol: Protocol;
}

async function readVersion(name: string, text: string): Promise<Version> {
  const schema = JSON.parse(text) as Schema;
  return { name, schema, protocol: await readSchema(schema) };
}

async function readSchema(schema: Schema): Promise<Protocol> {
  const readStdin = (): Promise<string> => Promise.resolve(JSON.stringify(schema));
  return (await openProtocolSource("-", "dap", { readStdin })).protocol;
}

const all = await Promise.all(
  bundledDap.map((version) => readVersion(version, dapSchemaText(version))),
);
/**
 * Returns pairs of versions. With `LONG_TESTS`, these are all pairs. Otherwise, they are the pairs at a distance of 1, 2, 4, 8 …, which show each change alone and in
 * combination with more and more other changes.
 */
function* pairsOf(versions: readonly Version[]): Generator<readonly [Version, Version]> {
  for (const [index, before] of versions.entries())
    for (const [distance, after] of versions.slice(index).entries())
      if (distance > 0 && (isLong || Number.isInteger(Math.log2(distance)))) yield [before, after];
}

/** Tests a law on all versions. */
function law(what: string, check: (versions: readonly Version[]) => void | Promise<void>): void {
  test(what, () => check(all));
}

law("a version does not differ from itself", (versions) => {
  for (const { protocol } of versions) {
    const diff = diffProtocols(protocol, protocol);
    assert.deepEqual([diff.findings, diff.notes], [[], []]);
  }
});

law("the findings of the reverse comparison mirror the original findings", (versions) => {
  let compared = 0;
  for (const [before, after] of pairsOf(versions)) {
    const there = diffProtocols(before.protocol, after.protocol);
    const back = diffProtocols(after.protocol, before.protocol);
    const [forth, reverse] = there.pairs;
    // Ignore findings about added or removed messages and capabilities, because they depend on the
    // direction of the comparison.
    const isPhysical = ({ rule }: Finding): boolean => !/^(message|capability)\./.test(rule);
    const line = (id: string, { at, wire }: Finding, [one, other]: readonly string[]): string =>
      `${id} ${at}${/^message|^capability/.test(id) ? "" : ` ${wire[one!]} ${wire[other!]}`}`;
    assert.deepEqual(
      there.findings
        .map((each) => line(rules.get(each.rule)!.mirror, each, [forth, reverse]))
        .sort(),
      back.findings.map((each) => line(each.rule, each, [reverse, forth])).sort(),
      `${before.name} and ${after.name}`,
    );
    compared += there.findings.filter(isPhysical).length;
  }
  assert.ok(compared > 500);
});

law(
  "anything that changes between two versions changes in one of the steps between them",
  (versions) => {
    const steps = versions.slice(1).map((after, index) => findingsOf(versions[index]!, after));
    let compared = 0;
    for (const [before, after] of pairsOf(versions)) {
      const between = steps.slice(versions.indexOf(before), versions.indexOf(after)).flat();
      const places = new Map<string, Finding[]>();
      for (const step of between) places.set(step.at, [...(places.get(step.at) ?? []), step]);
      const all = new Set(findingsOf(before, after).map(({ at }) => at));
      const what = `${before.name} to ${after.name}`;
      assert.deepEqual(
        [...all].filter((at) => !places.has(at)),
        [],
        what,
      );
      // A definition that exists in only one version is reported only as added or removed.
      const [old, now] = [usedDefinitions(before.protocol), usedDefinitions(after.protocol)];
      const isOfBoth = (at: string): boolean => {
        const [owner = ""] = at.split(/\W/, 1);
        const isInside = (place: string): boolean => place !== at && at.startsWith(place);
        return old.has(owner) && now.has(owner) && ![...places.keys()].some(isInside);
      };
      const once = [...places].flatMap(([at, [first, ...others]]) =>
        others.length === 0 && !first!.rule.startsWith("doc.") && isOfBoth(at) ? [at] : [],
      );
      assert.deepEqual(
        once.filter((at) => !all.has(at)),
        [],
        what,
      );
      compared += once.length;
    }
    assert.ok(compared > 50, String(compared));
  },
);

function findingsOf(before: Version, after: Version): readonly Finding[] {
  return diffProtocols(before.protocol, after.protocol).findings;
}

/** Returns the names of the definitions that messages use. */
function usedDefinitions({ messages, definitions }: Protocol): ReadonlySet<string> {
  const types = new Map(definitions.map(({ name, type }) => [name, type]));
  const used = new Set<string>();
  const visit = (name: string): void => {
    const type = types.get(name);
    if (type === undefined || used.has(name)) return;
    used.add(name);
    for (const part of typesIn(type)) {
      if (part.kind === "reference") visit(part.name);
      if (part.kind === "object") part.bases.forEach(visit);
    }
  };
  for (const { definition, ...message } of messages) {
    visit(definition);
    if (message.kind === "request") visit(message.responseDefinition ?? "");
  }
  return used;
}

law(
  "for every break, there is a message that its writer may send and its reader rejects",
  (versions) => {
    const validators = new Map(versions.map((version) => [version, validatorOf(version)]));
    let confirmed = 0;
    for (const [before, after] of pairsOf(versions)) {
      const diff = diffProtocols(before.protocol, after.protocol, { reader: "schema" });
      for (const finding of diff.findings) {
        for (const pair of diff.pairs) {
          const witness = finding.witnesses.find((each) => each.pair === pair);
          // Schemas do not include required capabilities, so ajv cannot confirm these findings.
          if (finding.rule.startsWith("gate.")) continue;
          assert.equal(
            witness !== undefined,
            finding.wire[pair] === "rejected",
            `${before.name} to ${after.name}: ${finding.rule} ${finding.at} ${pair}`,
          );
          if (witness === undefined) continue;
          const isOld = pair.includes(`old-${witness.sender}`);
          const [writer, reader] = isOld ? [before, after] : [after, before];
          const accepts = (version: Version): boolean => validators.get(version)!(witness.message);
          const what = `${finding.rule} ${finding.at}: ${JSON.stringify(witness.message)}`;
          assert.ok(accepts(writer), `${writer.name} may send ${what}`);
          assert.ok(!accepts(reader), `${reader.name} rejects ${what}`);
          confirmed++;
        }
      }
    }
    assert.ok(confirmed > 300, String(confirmed));
  },
);

/** Returns a function that checks whether a version defines a message and accepts it. */
function validatorOf({ schema, protocol }: Version): (message: unknown) => boolean {
  const ajv = new AjvDraft04.default({ strict: false, validateFormats: false });
  ajv.addSchema(normaliseSchema(structuredClone(schema)), "dap");
  const messages = new Map(
    protocol.messages.flatMap((each): [string, string][] =>
      each.kind === "event"
        ? [[`event ${each.name}`, each.definition]]
        : [
            [`request ${each.name}`, each.definition],
            [`response ${each.name}`, each.responseDefinition!],
          ],
    ),
  );
  return (message) => {
    const definition = definitionOf(messages, message);
    if (definition === undefined || /^(Event|Request|Response)$/.test(definition)) return false;
    return ajv.getSchema(`dap#/definitions/${definition}`)!(message) as boolean;
  };
}

law("the order of keys, values and alternatives makes no difference", async (versions) => {
  for (const { schema, protocol } of versions)
    for (const seed of [1, 2]) await assertSame(protocol, shuffled(schema, seeded(seed)) as Schema);
});

law("the names of definitions make no difference", async (versions) => {
  for (const { schema, protocol } of versions) {
    const renamed = new Map(freeDefinitions(schema).map((name) => [name, `${name}InOtherWords`]));
    assert.ok(renamed.size > 5);
    const text = JSON.stringify(schema).replaceAll(
      /"#\/definitions\/(\w+)"/g,
      (ref, name: string) => ref.replace(name, renamed.get(name) ?? name),
    );
    const { definitions, ...rest } = JSON.parse(text) as Schema & { definitions: Schema };
    const entries = Object.entries(definitions).map(([name, node]): [string, Json] => [
      renamed.get(name) ?? name,
      node,
    ]);
    await assertSame(protocol, { ...rest, definitions: Object.fromEntries(entries) });
  }
});

law("inlining a definition makes no difference", async (versions) => {
  for (const { schema, protocol } of versions) {
    const free = new Set(freeDefinitions(schema));
    const definitions = schema["definitions"] as { [name: string]: Schema };
    let inlined = 0;
    const inline = (node: Json): Json => {
      if (typeof node !== "object" || node === null) return node;
      if (Array.isArray(node)) return node.map((each) => inline(each));
      const name = /^#\/definitions\/(\w+)$/.exec(String(node["$ref"]))?.[1];
      if (name !== undefined && free.has(name) && !isRecursive(definitions, name)) {
        const { $ref: _ref, ...own } = node;
        inlined++;
        return { ...(inline(definitions[name]!) as Schema), ...own };
      }
      return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, inline(each)]));
    };
    const changed = Object.fromEntries(
      Object.entries(definitions).flatMap(([name, node]) =>
        free.has(name) && !isRecursive(definitions, name) ? [] : [[name, inline(node)]],
      ),
    );
    assert.ok(inlined > 5);
    await assertSame(protocol, { ...schema, definitions: changed });
  }
});

law("definitions that no message uses make no difference to messages", async (versions) => {
  for (const { schema, protocol } of versions) {
    const definitions = schema["definitions"] as Schema;
    const unused = { type: "object", properties: { any: { type: "string" } }, required: ["any"] };
    await assertSame(protocol, { ...schema, definitions: { ...definitions, Unused: unused } });
  }
});

/**
 * Asserts that the versions differ only in definitions that no message uses. Such types matter only
 * to code.
 */
async function assertSame(protocol: Protocol, schema: Schema): Promise<void> {
  const other = await readSchema(schema);
  for (const diff of [diffProtocols(protocol, other), diffProtocols(other, protocol)])
    assert.deepEqual(
      diff.findings
        .filter(({ rule }) => rule !== "definition.added" && rule !== "definition.removed")
        .map(({ rule, at, message }) => `${rule} ${at} ${message}`),
      [],
    );
}
