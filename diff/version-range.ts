import { checkArguments, protocolModel } from "../generator/base/check-arguments.js";
import { itemTypes } from "../generator/model/type-checks.js";
import * as option from "../runtime/base/check-options.js";
import type { Protocol } from "../generator/model/protocol.js";
import { diffChecks, diffProtocols } from "./diff-protocols.js";
import {
  type DiffOptions,
  diffSeverities,
  type DiffSeverity,
  type ProtocolDiff,
} from "./finding.js";
import { sideOf, type Side } from "./compare/side.js";
import type { typeText } from "./compare/type-text.js";

/**
 * A comparison of every pair of versions in a range. Comparing only neighbours would not be enough,
 * because several harmless steps can add up to a breaking one.
 */
export interface RangeComparison {
  readonly protocol: string;
  readonly versions: readonly string[];
  /** The comparisons of each version with each later version. */
  readonly pairs: readonly RangePair[];
  /** Names that were removed and later reintroduced with a different meaning. */
  readonly reused: readonly ReusedName[];
  /** The version that introduced each message, property and enum value. */
  readonly since: readonly Since[];
}

/** Two versions in a range, and how severe the differences between them are. */
export interface RangePair {
  readonly before: string;
  readonly after: string;
  readonly worst: DiffSeverity | "none";
  readonly counts: Readonly<Record<DiffSeverity, number>>;
  /** Whether the differences are worse than those in any single step between the two versions. */
  readonly worseThanSteps: boolean;
}

/** A name that was removed and later reintroduced with a different meaning. */
export interface ReusedName {
  /** The name, such as `Source.path`. */
  readonly at: string;
  readonly before: { readonly version: string; readonly type: string };
  readonly after: { readonly version: string; readonly type: string };
}

/** The version that introduced a name. */
export interface Since {
  readonly kind: "message" | "property" | "value";
  readonly at: string;
  readonly version: string;
  /** The last version that has the name. Absent if the latest version still has it. */
  readonly until?: string;
}

/** Options for comparing several versions. */
export interface RangeOptions extends DiffOptions {
  /**
   * Called after each pair, with the number of pairs compared so far and the total number of pairs.
   */
  readonly onProgress?: (done: number, all: number) => void;
  /** Selects which findings of a pair to count. Default: all of them. */
  readonly select?: (diff: ProtocolDiff) => ProtocolDiff;
}

const checks: option.OptionChecks<RangeOptions> = {
  ...diffChecks,
  onProgress: option.callback,
  select: option.callback,
};

/** Compares each version with each later one. `protocols` must be in version order. */
export function compareVersions(
  protocols: readonly Protocol[],
  options: RangeOptions = {},
): RangeComparison {
  option.checkOptions("compareVersions", options, checks);
  checkArguments("compareVersions", { protocols: [protocols, option.listOf(protocolModel)] });
  const { onProgress, select = (diff) => diff, ...diffOptions } = options;
  const pairs: RangePair[] = [];
  const all = (protocols.length * (protocols.length - 1)) / 2;
  protocols.forEach((before, index) => {
    for (const after of protocols.slice(index + 1)) {
      const { findings } = select(diffProtocols(before, after, diffOptions));
      const count = (severity: DiffSeverity): number =>
        findings.filter((finding) => finding.severity === severity).length;
      const counts = Object.fromEntries(
        diffSeverities.map((severity) => [severity, count(severity)]),
      ) as Record<DiffSeverity, number>;
      const worst = diffSeverities.find((severity) => counts[severity] > 0) ?? "none";
      pairs.push({
        before: before.version,
        after: after.version,
        worst,
        counts,
        worseThanSteps: false,
      });
      onProgress?.(pairs.length, all);
    }
  });
  const versions = protocols.map(({ version }) => version);
  return {
    protocol: protocols[0]?.name ?? "",
    versions,
    pairs: pairs.map((pair) => ({
      ...pair,
      worseThanSteps: isWorseThanSteps(pair, pairs, versions),
    })),
    ...compareNames(protocols),
  };
}

interface Trace {
  readonly kind: Since["kind"];
  /**
   * The type of the message, property or value in each version. Undefined for versions that lack
   * it.
   */
  readonly types: (string | undefined)[];
}

/**
 * Returns whether the differences between a pair are worse than those in any of the steps between
 * them. This can happen because a later step may reintroduce a removed name with a different
 * meaning.
 */
function isWorseThanSteps(
  pair: RangePair,
  pairs: readonly RangePair[],
  versions: readonly string[],
): boolean {
  const [first, last] = [versions.indexOf(pair.before), versions.indexOf(pair.after)];
  const rank = ({ worst }: RangePair): number =>
    worst === "none" ? diffSeverities.length : diffSeverities.indexOf(worst);
  const steps = pairs.filter(({ before, after }) => {
    const place = versions.indexOf(before);
    return place >= first && place < last && versions[place + 1] === after;
  });
  return steps.every((step) => rank(step) > rank(pair));
}

/** Compares the names used in all versions. `protocols` must be in version order. */
export function compareNames(
  protocols: readonly Protocol[],
): Pick<RangeComparison, "reused" | "since"> {
  const traces = new Map<string, Trace>();
  protocols.forEach((protocol, index) => {
    for (const [at, kind, type] of namesOf(protocol)) {
      let trace = traces.get(at);
      if (trace === undefined) traces.set(at, (trace = { kind, types: [] }));
      trace.types[index] = type;
    }
  });
  const versions = protocols.map(({ version }) => version);
  const reused: ReusedName[] = [];
  const since = [...traces].map(([at, { kind, types }]): Since => {
    const places = [...versions.keys()].filter((index) => types[index] !== undefined);
    places.forEach((place, index) => {
      const last = places[index - 1];
      if (last === undefined || place === last + 1 || types[last] === types[place]) return;
      reused.push({
        at,
        before: { version: versions[last]!, type: types[last]! },
        after: { version: versions[place]!, type: types[place]! },
      });
    });
    const last = places.at(-1)!;
    return {
      kind,
      at,
      version: versions[places[0]!]!,
      ...(last === versions.length - 1 ? {} : { until: versions[last]! }),
    };
  });
  return { reused, since };
}

/**
 * Yields the names of a protocol's messages, properties and enum values, along with their types.
 */
function* namesOf(
  protocol: Protocol,
): Generator<readonly [at: string, kind: Since["kind"], type: string]> {
  for (const { kind, name, sender } of protocol.messages)
    yield [`${kind} ${name}`, "message", `${kind} of ${sender}`];
  const side = sideOf(protocol);
  for (const { name, type } of protocol.definitions) {
    if (type.kind === "enum")
      for (const { value } of type.values)
        yield [`${name} = ${JSON.stringify(value)}`, "value", typeof value];
    if (type.kind !== "object") continue;
    for (const property of type.properties) {
      const at = `${name}.${property.name}`;
      const resolved = side.resolve(property.type);
      yield [at, "property", shape(side, property.type)];
      if (property.type.kind === "enum" && resolved.kind === "enum")
        for (const { value } of resolved.values)
          yield [`${at} = ${JSON.stringify(value)}`, "value", typeof value];
    }
  }
}

/**
 * Returns the structure of a type, ignoring its bounds and listed values, since these may change
 * without altering the meaning of a name.
 */
function shape(side: Side, type: Parameters<typeof typeText>[0]): string {
  const resolved = side.resolve(type);
  switch (resolved.kind) {
    case "integer":
    case "number":
      return "number";
    case "enum":
      return typeof resolved.values[0]?.value;
    case "literal":
      return typeof resolved.value;
    case "array":
      return resolved.first === undefined
        ? `${shape(side, resolved.items)}[]`
        : `[${itemTypes(resolved)
            .map((item) => shape(side, item))
            .join(", ")}]`;
    case "object":
      return type.kind === "reference" ? type.name : "object";
    case "union":
      return [...new Set(resolved.members.map((member) => shape(side, member)))].sort().join(" | ");
    default:
      return resolved.kind;
  }
}
