import { checkArguments } from "../generator/base/check-arguments.js";
import { emitChecks, emitPackage, type EmitOptions } from "../generator/emit/emit-package.js";
import type { Configurations } from "../generator/model/configurations.js";
import { markFirstVersions } from "../generator/model/first-versions.js";
import type { Protocol } from "../generator/model/protocol.js";
import { readChecks } from "../generator/read/read-options.js";
import {
  describedVersions,
  readProtocol,
  type ReadOptions,
} from "../generator/read/read-protocol.js";
import type { ConfigurationFinding } from "../launch/configuration-rules.js";
import * as option from "../runtime/base/check-options.js";
import { argumentError } from "./argument-error.js";

/** Options for `generate`. */
export interface GenerateOptions extends ReadOptions, EmitOptions {
  /** Whether to document the version that introduced each name. Default: false. */
  readonly since?: boolean;
  /**
   * The package.json of a VS Code extension whose launch configurations are to be included in the
   * package.
   */
  readonly configuration?: string;
}

const checks: option.OptionChecks<GenerateOptions> = {
  ...readChecks,
  ...emitChecks,
  since: option.flag,
  configuration: option.text,
};

/** A generated package, held in memory. */
export interface GeneratedPackage {
  readonly protocol: Protocol;
  /** File contents by path relative to the package, sorted. */
  readonly files: ReadonlyMap<string, string>;
  /** Warnings about the launch configurations. */
  readonly notes?: readonly ConfigurationFinding[];
}

/**
 * Reads a protocol and generates its package in memory. Use `writeOutput` to write the package to a
 * folder.
 *
 * ```ts
 * const { files } = await generate("dap@1.71.0");
 * await writeOutput("src/dap", files);
 * ```
 *
 * @param protocol Name of a bundled protocol, or path to a `protocol.json` or its folder.
 * @throws InputError if an input cannot be used. TypeError for an unknown option.
 */
export async function generate(
  protocol: string,
  options: GenerateOptions = {},
): Promise<GeneratedPackage> {
  option.checkOptions("generate", options, checks);
  checkArguments("generate", { protocol: [protocol, option.text] });
  const { packageName, runtime, only, target, importExtension, since, configuration, ...reading } =
    options;
  const emitting = { packageName, runtime, only, target, importExtension };
  const model = await readProtocol(protocol, reading);
  const unconfigured = since === true ? await withFirstVersions(protocol, model) : model;
  if (configuration === undefined)
    return { protocol: unconfigured, files: await emitPackage(unconfigured, emitting) };
  const { configurations, notes } = await readLaunchConfigurations(unconfigured, configuration);
  const configured = { ...unconfigured, configurations };
  return { protocol: configured, files: await emitPackage(configured, emitting), notes };
}

async function readLaunchConfigurations(
  { name, configured }: Protocol,
  path: string,
): Promise<{
  readonly configurations: Configurations;
  readonly notes: readonly ConfigurationFinding[];
}> {
  if (configured === undefined)
    throw argumentError(
      `Cannot use configurations with ${name}: none of its requests takes a configuration`,
      'The description can list such requests under "configured"',
    );
  const { readConfigurations } = await import("../launch/read-configurations.js");
  const { modelConfigurations } = await import("../launch/model-configurations.js");
  const { judgeSource } = await import("../launch/judge-source.js");
  const source = await readConfigurations(path);
  return { configurations: modelConfigurations(source), notes: judgeSource(source) };
}

async function withFirstVersions(name: string, model: Protocol): Promise<Protocol> {
  const versions = await describedVersions(name);
  const index = versions.indexOf(model.version);
  const earlier = [];
  // If the description does not list a schema's version, all listed versions count as earlier.
  for (const version of index < 0 ? versions : versions.slice(0, index))
    earlier.push(await readProtocol(name, { version }));
  return markFirstVersions(model, earlier);
}
