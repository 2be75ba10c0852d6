import { nearest, type InputPlace } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer } from "../generator/read/source/json-text.js";
import type { CommentedFile } from "./commented-json.js";
import { readBundledSchema } from "./common-attributes.js";
import { type ConfigurationFinding, findingAt } from "./configuration-rules.js";
import type { ConfigurationSet } from "./configuration-set.js";
import { judgeConfiguration, judgementOf, type Judgement } from "./judge-configuration.js";
import { issuesOf } from "./schema-types.js";

/** Checks a launch.json against the known debuggers' attributes. */
export function judgeLaunchFile(
  file: CommentedFile,
  sets: readonly ConfigurationSet[],
): readonly ConfigurationFinding[] {
  const { value } = file;
  const configurations = partOf(value, "configurations");
  const schema = readBundledSchema("configurations/launch-file.json");
  const judgements = [
    ...issuesOf(schema, value, 100).map((issue) => judgementOf(issue, schema)),
    ...judgeNames(configurations),
    ...configurations.flatMap((each, index) =>
      judgeConfiguration(sets, each).map((judgement) => ({
        ...judgement,
        pointer: joinPointer("/configurations", index) + judgement.pointer,
      })),
    ),
    ...judgeCompounds(value, configurations),
    ...judgeInputs(value),
  ];
  return judgements
    .map(({ pointer, ...judgement }) => {
      const isKey = ["launch.unknown", "launch.deprecated"].includes(judgement.rule);
      return findingAt(isKey ? file.locateKey(pointer) : file.locate(pointer), judgement);
    })
    .sort((a, b) => order(a.place) - order(b.place));
}

function judgeNames(configurations: readonly Json[]): readonly Judgement[] {
  const seen = new Map<string, number>();
  return configurations.flatMap((each, index): readonly Judgement[] => {
    const name = textOf(each, "name");
    const before = name === undefined ? undefined : seen.get(name);
    if (name !== undefined && before === undefined) seen.set(name, index);
    if (before === undefined) return [];
    return [
      {
        rule: "launch.name",
        pointer: joinPointer("/configurations", index, "name"),
        message: `The configuration ${before + 1} has the same name`,
        value: name,
      },
    ];
  });
}

function judgeCompounds(value: Json, configurations: readonly Json[]): readonly Judgement[] {
  const names = configurations.flatMap((each) => textOf(each, "name") ?? []);
  return partOf(value, "compounds").flatMap((compound, index) =>
    partOf(compound, "configurations").flatMap((each, place): readonly Judgement[] => {
      // Skip names that belong to another workspace folder, because those configurations are in
      // another file.
      if (isJsonObject(each) && each["folder"] !== undefined) return [];
      const name = isJsonObject(each) ? each["name"] : each;
      if (typeof name !== "string" || names.includes(name)) return [];
      const meant = nearest(name, names);
      return [
        {
          rule: "launch.compound",
          pointer: joinPointer("/compounds", index, "configurations", place),
          message: "There is no configuration with this name",
          value: name,
          ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
        },
      ];
    }),
  );
}

function judgeInputs(value: Json): readonly Judgement[] {
  const ids = partOf(value, "inputs").flatMap((each) => textOf(each, "id") ?? []);
  const visit = (part: Json, pointer: string): readonly Judgement[] => {
    if (typeof part !== "string")
      return typeof part !== "object" || part === null
        ? []
        : Object.entries(part).flatMap(([key, each]: [string, Json]) =>
            visit(each, joinPointer(pointer, key)),
          );
    return [...part.matchAll(/\$\{input:([^}]+)\}/g)].flatMap(([, id = ""]) => {
      if (ids.includes(id)) return [];
      const meant = nearest(id, ids);
      return {
        rule: "launch.input",
        pointer,
        message: `There is no input "${id}"`,
        value: part,
        hint: meant === undefined ? 'Add it to "inputs"' : `Did you mean "${meant}"?`,
      };
    });
  };
  return visit(partOf(value, "configurations") as Json, "/configurations");
}

/** Returns the array under a key, or an empty array if the key is missing. */
function partOf(value: Json, key: string): readonly Json[] {
  const part = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(part) ? part : [];
}

function textOf(value: Json, key: string): string | undefined {
  const text = isJsonObject(value) ? value[key] : undefined;
  return typeof text === "string" ? text : undefined;
}

function order({ line = 0, column = 0 }: InputPlace): number {
  return line * 1e6 + column;
}
