import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checks, clientChecks, commonPractice, type Check } from "../../conformance/checks.js";
import { specificationLink } from "../../conformance/specification.js";
import { newestDap } from "../support/dap-versions.js";
import { shared, skipWithout } from "../support/paths.js";

const all: readonly Check[] = [...checks, ...clientChecks];
const idsOf = (list: readonly Check[]): readonly string[] => list.map(({ id }) => id);
const isFromOverview = ({ stated }: Check): boolean => stated.startsWith("Overview, ");

test("a sentence has at most fifteen words", () => {
  assert.deepEqual(idsOf(all.filter(({ sentence = "" }) => sentence.split(" ").length > 15)), []);
});

test("the sentence decides the level", () => {
  const isRequired = ({ stated, sentence = "" }: Check): boolean =>
    stated === "The schema" || /\b(?:must|required)\b/.test(sentence);
  assert.deepEqual(idsOf(all.filter((check) => check.level === "must" && !isRequired(check))), []);
  const bare = all.filter(({ stated, sentence }) => stated !== "The schema" && !sentence);
  assert.deepEqual(
    [...new Set(bare.map(({ level, stated }) => `${level}: ${stated}`))],
    [`info: ${commonPractice}`],
  );
});

test("each place in the specification has an address", () => {
  const bare = all.filter(({ stated }) => specificationLink(stated) === undefined);
  assert.deepEqual([...new Set(bare.map(({ stated }) => stated))], [commonPractice]);
  const site = "https://microsoft.github.io/debug-adapter-protocol";
  const links = {
    "Overview, Content Part": `${site}/overview#content-part`,
    "Response.request_seq": `${site}/specification#Base_Protocol_Response`,
    CancelRequest: `${site}/specification#Base_Protocol_Cancel`,
    "InitializeRequestArguments.pathFormat": `${site}/specification#Requests_Initialize`,
    SetBreakpointsResponse: `${site}/specification#Requests_SetBreakpoints`,
    "StoppedEvent.reason": `${site}/specification#Events_Stopped`,
    RunInTerminalRequest: `${site}/specification#Reverse_Requests_RunInTerminal`,
    "StackFrame.id": `${site}/specification#Types_StackFrame`,
  };
  const given = Object.keys(links).map((stated) => [stated, specificationLink(stated)]);
  assert.deepEqual(Object.fromEntries(given), links);
});

type Json = { readonly [name: string]: unknown };

/** Returns all descriptions in a part of the schema. */
function descriptionsIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === "description" && typeof value === "string") return [value];
    return name === "enumDescriptions" ? (value as string[]) : descriptionsIn(value);
  });
}

/** Returns the first property with the given name in a definition. */
function propertyIn(part: unknown, name: string): unknown {
  if (typeof part !== "object" || part === null) return undefined;
  const { properties } = part as { properties?: Json };
  if (properties !== undefined && name in properties) return properties[name];
  return Object.values(part)
    .map((value) => propertyIn(value, name))
    .find((property) => property !== undefined);
}

const schemaPath = `schemas/dap/${newestDap}.json`;

test(
  "each sentence occurs in the schema where the check says",
  { skip: skipWithout(schemaPath) },
  () => {
    const { definitions } = JSON.parse(readFileSync(shared(schemaPath)!, "utf8")) as {
      definitions: Json;
    };
    const quoted = all.filter((check) => check.sentence !== undefined && !isFromOverview(check));
    assert.ok(quoted.length > 150, `${quoted.length} sentences`);
    const wrong = quoted.filter(({ stated, sentence }) => {
      const [name = "", property] = stated.split(".");
      const part =
        property === undefined ? definitions[name] : propertyIn(definitions[name], property);
      return !descriptionsIn(part).some((text) => text.replace(/\s+/g, " ").includes(sentence!));
    });
    assert.deepEqual(idsOf(wrong), []);
  },
);

const overviewPath = "specification/overview.md";

test(
  "each sentence occurs in the overview where the check says",
  { skip: skipWithout(overviewPath) },
  () => {
    const sections = new Map(
      readFileSync(shared(overviewPath)!, "utf8")
        .split(/^#+ /m)
        .map((section) => {
          const [title = "", ...lines] = section.split("\n");
          const text = lines
            .join(" ")
            .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
            .replace(/\*/g, "");
          return [title.trim(), text.replace(/\s+/g, " ")];
        }),
    );
    const quoted = all.filter((check) => check.sentence !== undefined && isFromOverview(check));
    assert.ok(quoted.length > 15, `${quoted.length} sentences`);
    const wrong = quoted.filter(
      ({ stated, sentence }) =>
        !sections.get(stated.slice("Overview, ".length))?.includes(sentence!),
    );
    assert.deepEqual(idsOf(wrong), []);
  },
);
