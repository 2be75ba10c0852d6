import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Acceptance } from "../diff/accepted-findings.js";
import type { ReaderPolicy } from "../diff/compare/outcomes.js";
import { rules } from "../diff/compare/rules.js";
import { diffSeverities, type DiffSeverity } from "../diff/finding.js";
import { bundledProtocols, defaultProtocol } from "../generator/base/bundled.js";
import { check } from "../generator/read/description/check-file.js";
import { readJsonInput } from "../generator/read/source/input-source.js";
import { isJsonObject, joinPointer, type JsonFile } from "../generator/read/source/json-text.js";
import { argumentError } from "./argument-error.js";
import { oneOf } from "./command-line.js";
import type { DiffValues } from "./diff-command.js";
import type { JudgingOptions } from "./diff-versions.js";
import { findProjectFile } from "./project-file.js";
import { unknownRule } from "./shared-options.js";

/** The lowest severity at which a finding causes a failure, or `never`. */
type FailSeverity = DiffSeverity | "never";

/** The settings of a call. Command line options take precedence over the project file. */
export interface DiffSettings {
  /** Settings that affect findings. */
  readonly judging: JudgingOptions & { readonly accept: readonly Acceptance[] };
  readonly failOn: FailSeverity;
  /** Whether to fail if an acceptance matches no finding. */
  readonly failOnStale: boolean;
  /** Whether to fail if a version step is too small. */
  readonly failOnStep: boolean;
}

/** The `diff` section of a project file, as described in `schema/formats/config.schema.json`. */
interface ConfiguredDiff {
  readonly protocol?: string;
  readonly reader?: ReaderPolicy;
  readonly pair?: string;
  readonly side?: string;
  readonly severity?: Readonly<Record<string, DiffSeverity | "off">>;
  readonly failOn?: FailSeverity;
  readonly failOnStale?: boolean;
  readonly failOnStep?: boolean;
  readonly accept?: string | readonly Acceptance[];
}

/**
 * Reads the settings for a comparison. @throws InputError `ERR_ARGUMENT`, `ERR_CONFIG` or
 * `ERR_READ`.
 */
export async function readDiffSettings(values: DiffValues): Promise<DiffSettings> {
  const path = values.config ?? findProjectFile();
  const configured = path === undefined ? {} : await readConfiguredDiff(path);
  const severity = (values.severity ?? []).map(readSeverity);
  return {
    judging: {
      protocol: values.protocol ?? configured.protocol ?? defaultProtocol(),
      reader: values.reader ?? configured.reader ?? "tolerant",
      pair: values.pair ?? configured.pair,
      side: values.side ?? configured.side,
      part: readPart(values),
      severity: { ...configured.severity, ...Object.fromEntries(severity) },
      accept:
        values.accept === undefined
          ? await configuredAcceptances(configured)
          : await readAcceptances(values.accept),
    },
    failOn: values["fail-on"] ?? configured.failOn ?? "breaking",
    failOnStale: values["fail-on-stale"] ?? configured.failOnStale ?? false,
    failOnStep: values["fail-on-step"] ?? configured.failOnStep ?? false,
  };
}

function readPart({ side, for: part }: DiffValues): string | undefined {
  if (part === undefined || side === undefined || part === side) return part;
  throw argumentError(`Cannot use --side ${side} with --for ${part}`, "Use one of the two");
}

/** Reads an acceptance file. @throws InputError `ERR_READ`, `ERR_JSON` or `ERR_CONFIG`. */
export async function readAcceptances(path: string): Promise<readonly Acceptance[]> {
  const file = await readJsonInput(path);
  check(file, "accept", "ERR_CONFIG");
  const { accept } = file.value as unknown as { readonly accept: readonly Acceptance[] };
  refuseUnknownRules(accept, file, "/accept");
  return accept;
}

/**
 * Reads the acceptances in a file that will be overwritten. Resolves to an empty array if the file
 * does not exist yet.
 */
export async function readPresentAcceptances(path: string): Promise<readonly Acceptance[]> {
  return existsSync(path) ? readAcceptances(path) : [];
}

/**
 * Reads the `diff` section of a project file. A file that lacks this section is not validated,
 * because it is meant for other commands.
 */
async function readConfiguredDiff(path: string): Promise<ConfiguredDiff> {
  const file = await readJsonInput(path);
  if (isJsonObject(file.value) && !Object.hasOwn(file.value, "diff")) return {};
  check(file, "config", "ERR_CONFIG");
  const { diff } = file.value as unknown as { readonly diff: ConfiguredDiff };
  const { severity = {}, accept, protocol } = diff;
  for (const id of Object.keys(severity))
    if (!rules.has(id))
      throw unknownRule(id, rules.keys(), "diff", file.locate(joinPointer("/diff/severity", id)));
  if (typeof accept === "object") refuseUnknownRules(accept, file, "/diff/accept");
  const besideFile = (name: string): string =>
    isAbsolute(name) ? name : join(dirname(path), name);
  return {
    ...diff,
    ...(protocol === undefined || bundledProtocols().includes(protocol)
      ? {}
      : { protocol: besideFile(protocol) }),
    ...(typeof accept === "string" ? { accept: besideFile(accept) } : {}),
  };
}

async function configuredAcceptances({
  accept = [],
}: ConfiguredDiff): Promise<readonly Acceptance[]> {
  return typeof accept === "string" ? readAcceptances(accept) : accept;
}

function refuseUnknownRules(accept: readonly Acceptance[], file: JsonFile, pointer: string): void {
  accept.forEach(({ rule }, index) => {
    if (!rules.has(rule))
      throw unknownRule(
        rule,
        rules.keys(),
        "diff",
        file.locate(joinPointer(pointer, index, "rule")),
      );
  });
}

function readSeverity(text: string): readonly [string, DiffSeverity | "off"] {
  const [id = "", severity = ""] = text.split("=");
  if (!rules.has(id)) throw unknownRule(id, rules.keys(), "diff");
  return [id, oneOf(`--severity ${id}`, severity, [...diffSeverities, "off"] as const)];
}
