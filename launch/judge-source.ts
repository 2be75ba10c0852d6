import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer, type JsonObject } from "../generator/read/source/json-text.js";
import { type ConfigurationFinding, findingAt } from "./configuration-rules.js";
import type { ConfigurationSource } from "./configuration-set.js";
import { judgeConfiguration } from "./judge-configuration.js";
import { schemasIn } from "./schema-parts.js";
import { issuesOf } from "./schema-types.js";

/** Checks a source: its schemas, its defaults, and its initial configurations. */
export function judgeSource(source: ConfigurationSource): readonly ConfigurationFinding[] {
  return [
    ...source.notes.map(({ place, ...note }) =>
      findingAt(place, { rule: "launch.schema", ...note }),
    ),
    ...source.sets.flatMap(({ schema, pointer }) => judgeDefaults(schema, schema, pointer, source)),
    ...source.offered.flatMap(({ value, pointer: at }) =>
      judgeConfiguration(source.sets, value).map(({ pointer, ...judgement }) =>
        findingAt(source.locate(at + pointer), judgement),
      ),
    ),
  ];
}

/**
 * Returns findings for invalid defaults. The editor reports an error as soon as the user accepts
 * such a default.
 */
function judgeDefaults(
  root: JsonObject,
  schema: Json,
  at: string,
  source: ConfigurationSource,
): readonly ConfigurationFinding[] {
  return Object.entries(schemasIn(schema, "properties")).flatMap(([name, each]) => {
    const pointer = joinPointer(at, "properties", name);
    const inner = judgeDefaults(root, each, pointer, source);
    const value = isJsonObject(each) ? each["default"] : undefined;
    if (value === undefined) return inner;
    const { definitions = {} } = root;
    const [issue] = issuesOf({ ...(each as JsonObject), definitions }, value, 1);
    if (issue === undefined) return inner;
    const where = issue.pointer === "" ? "" : ` at ${issue.pointer}`;
    return [
      findingAt(source.locate(joinPointer(pointer, "default")), {
        rule: "launch.default",
        message: `The default for "${name}" is not allowed${where}: expected ${issue.expected}`,
        value,
      }),
      ...inner,
    ];
  });
}
