import { nearest, type InputPlace } from "../generator/base/input-error.js";
import type { Json } from "../generator/model/types.js";
import { isJsonObject, joinPointer } from "../generator/read/source/json-text.js";
import type { CommentedFile } from "./commented-json.js";
import { readBundledSchema } from "./common-attributes.js";
import {
  configurationRules,
  type ConfigurationFinding,
  type ConfigurationRule,
} from "./configuration-rules.js";
import type { ConfigurationSet } from "./configuration-set.js";
import { judgeConfiguration, judgementOf } from "./judge-configuration.js";
import { issuesOf } from "./schema-types.js";

/** Checks a launch.json against the known debuggers' attributes. */
export function judgeLaunchFile(
  file: CommentedFile,
  sets: readonly ConfigurationSet[],
): readonly ConfigurationFinding[] {
  return new LaunchFileJudge(file, sets).judge();
}

class LaunchFileJudge {
  readonly #file: CommentedFile;
  readonly #sets: readonly ConfigurationSet[];
  readonly #findings: ConfigurationFinding[] = [];

  constructor(file: CommentedFile, sets: readonly ConfigurationSet[]) {
    this.#file = file;
    this.#sets = sets;
  }

  judge(): readonly ConfigurationFinding[] {
    const { value } = this.#file;
    this.#shape(value);
    const configurations = partOf(value, "configurations");
    this.#names(configurations);
    for (const [index, each] of configurations.entries()) {
      const prefix = joinPointer("/configurations", index);
      for (const { rule, pointer, ...rest } of judgeConfiguration(this.#sets, each)) {
        this.#add(rule, prefix + pointer, rest);
      }
    }
    this.#compounds(value, configurations);
    this.#inputs(value);
    return [...this.#findings].sort((a, b) => order(a.place) - order(b.place));
  }

  #add(
    rule: ConfigurationRule,
    pointer: string,
    rest: Pick<ConfigurationFinding, "message" | "value" | "hint">,
  ): void {
    const isKey = rule === "launch.unknown" || rule === "launch.deprecated";
    const location = isKey ? this.#file.locateKey(pointer) : this.#file.locate(pointer);
    this.#findings.push({
      rule,
      severity: configurationRules[rule].severity,
      place: location,
      ...rest,
    });
  }

  #shape(value: Json): void {
    const schema = readBundledSchema("configurations/launch-file.json");
    for (const issue of issuesOf(schema, value, 100)) {
      const { rule, pointer, ...rest } = judgementOf(issue, schema);
      this.#add(rule, pointer, rest);
    }
  }

  #names(configurations: readonly Json[]): void {
    const seen = new Map<string, number>();
    for (const [index, each] of configurations.entries()) {
      const name = isJsonObject(each) ? each["name"] : undefined;
      if (typeof name !== "string") continue;
      const before = seen.get(name);
      if (before === undefined) seen.set(name, index);
      else
        this.#add("launch.name", joinPointer("/configurations", index, "name"), {
          message: `The configuration ${before + 1} has the same name`,
          value: name,
        });
    }
  }

  #compounds(value: Json, configurations: readonly Json[]): void {
    const names = configurations.flatMap((each) => {
      const name = isJsonObject(each) ? each["name"] : undefined;
      return typeof name === "string" ? [name] : [];
    });
    for (const [index, compound] of partOf(value, "compounds").entries())
      for (const [place, each] of partOf(compound, "configurations").entries()) {
        // Skip names that belong to another workspace folder, because those configurations are in
        // another file.
        if (isJsonObject(each) && each["folder"] !== undefined) continue;
        const name = isJsonObject(each) ? each["name"] : each;
        if (typeof name !== "string" || names.includes(name)) continue;
        const meant = nearest(name, names);
        this.#add("launch.compound", joinPointer("/compounds", index, "configurations", place), {
          message: "There is no configuration with this name",
          value: name,
          ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
        });
      }
  }

  #inputs(value: Json): void {
    const ids = partOf(value, "inputs").flatMap((each) => {
      const id = isJsonObject(each) ? each["id"] : undefined;
      return typeof id === "string" ? [id] : [];
    });
    const visit = (part: Json, at: string): void => {
      if (typeof part === "string")
        for (const [, id] of part.matchAll(/\$\{input:([^}]+)\}/g)) {
          if (ids.includes(id!)) continue;
          const meant = nearest(id!, ids);
          this.#add("launch.input", at, {
            message: `There is no input "${id}"`,
            value: part,
            hint: meant === undefined ? 'Add it to "inputs"' : `Did you mean "${meant}"?`,
          });
        }
      else if (Array.isArray(part))
        part.forEach((each: Json, index) => visit(each, joinPointer(at, index)));
      else if (isJsonObject(part))
        for (const [name, each] of Object.entries(part)) visit(each, joinPointer(at, name));
    };
    visit(partOf(value, "configurations") as Json, "/configurations");
  }
}

/** Returns the array under a key, or an empty array if the key is missing. */
function partOf(value: Json, key: string): readonly Json[] {
  const part = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(part) ? part : [];
}

function order({ line = 0, column = 0 }: InputPlace): number {
  return line * 1e6 + column;
}
