import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { writeFiles } from "./compile.js";
import { fromRoot } from "./paths.js";

/** One of the repository's composite actions, in GitHub's format. */
export interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly id: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
      readonly "working-directory": string;
    }[];
  };
}

export interface ActionRun {
  readonly status: number | null;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly log: string;
}

export const hasBash: boolean = spawnSync("bash", ["--version"]).status === 0;

export function readAction(name: string): Action {
  const text = readFileSync(fromRoot(`.github/actions/${name}/action.yml`), "utf8");
  return parse(text) as Action;
}

/**
 * Asserts that the action uses its inputs only through environment variables, and that each of its
 * outputs comes from its step.
 */
export function assertSafe({ inputs, outputs, runs }: Action): void {
  assert.equal(runs.using, "composite");
  assert.equal(runs.steps.length, 1);
  const [{ id, run, env }] = runs.steps as [Action["runs"]["steps"][number]];
  assert.doesNotMatch(run, /\$\{\{/);
  const used = Object.values(env).map((value) => /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)![1]);
  assert.deepEqual([...used, "working-directory"].sort(), Object.keys(inputs).sort());
  for (const [name, { value }] of Object.entries(outputs))
    assert.equal(value, `\${{ steps.${id}.outputs.${name} }}`);
}

/** Runs the steps of an action the way GitHub does. */
export function runAction(
  action: Action,
  folder: string,
  given: Readonly<Record<string, string>>,
): ActionRun {
  const inputs = Object.entries(action.inputs).map(([name, input]): [string, string] => [
    name,
    given[name] ?? input.default ?? assert.fail(`${name} is required`),
  ]);
  const filled = (text: string): string =>
    inputs.reduce(
      (rest, [name, input]) => rest.replaceAll(`\${{ inputs.${name} }}`, () => input),
      text,
    );
  const [summary, output] = ["summary.md", "output.txt"].map((name) => join(folder, name));
  writeFiles(folder, { "summary.md": "", "output.txt": "" });
  const steps = action.runs.steps.map((step) => {
    const env = Object.entries(step.env).map(([name, value]) => [name, filled(value)]);
    writeFiles(folder, { "step.sh": step.run });
    return spawnSync(
      step.shell,
      ["--noprofile", "--norc", "-eo", "pipefail", join(folder, "step.sh")],
      {
        cwd: join(folder, filled(step["working-directory"])),
        encoding: "utf8",
        env: {
          ...process.env,
          ...(Object.fromEntries(env) as Record<string, string>),
          GITHUB_STEP_SUMMARY: summary,
          GITHUB_OUTPUT: output,
          RUNNER_TEMP: folder,
        },
      },
    );
  });
  const lines = readFileSync(output!, "utf8").trimEnd().split("\n");
  return {
    status: steps.find(({ status }) => status !== 0)?.status ?? 0,
    summary: readFileSync(summary!, "utf8"),
    outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))) as Record<
      string,
      string
    >,
    log: steps.map(({ stdout, stderr }) => stdout + stderr).join(""),
  };
}
