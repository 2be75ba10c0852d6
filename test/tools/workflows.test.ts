import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import { fromRoot } from "../support/paths.js";

const folder = fromRoot(".github");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".yml"))
  .map((path) => [path.replaceAll("\\", "/"), readFileSync(`${folder}/${path}`, "utf8")] as const);

test("each action from another repository is pinned by digest, with its version in a comment", () => {
  const used = files.flatMap(([path, text]) =>
    [...text.matchAll(/uses: (?!\.\/)(.+)$/gm)].map(([, action]) => `${path}: ${action!}`),
  );
  const loose = used.filter((each) => !/: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each));
  assert.deepEqual(loose, []);
  assert.ok(used.length >= 8);
});

test("a release is published from its tag with provenance and without a token", () => {
  const text = files.find(([path]) => path === "workflows/release.yml")![1];
  const { on, permissions, jobs } = parse(text) as {
    on: object;
    permissions: object;
    jobs: { publish: { permissions: object; steps: readonly { run?: string }[] } };
  };
  assert.deepEqual(on, { push: { tags: ["v*"] } });
  assert.deepEqual(permissions, { contents: "read" });
  assert.deepEqual(jobs.publish.permissions, { contents: "read", "id-token": "write" });
  const commands = jobs.publish.steps.flatMap(({ run = [] }) => run);
  assert.deepEqual(commands.slice(-3), [
    ".ci/run",
    "npm run release",
    "find build/packages -name '*.tgz' | sort | xargs -n 1 npm publish --provenance",
  ]);
  assert.doesNotMatch(text, /NODE_AUTH_TOKEN|secrets\./);
});

test("every benchmark runs weekly, and its results are kept", () => {
  const text = files.find(([path]) => path === "workflows/bench.yml")![1];
  const { on, permissions, jobs } = parse(text) as {
    on: { schedule: readonly { cron: string }[] };
    permissions: object;
    jobs: {
      run: {
        strategy: object;
        steps: readonly { run?: string; uses?: string; if?: string; with?: object }[];
      };
    };
  };
  assert.deepEqual(on.schedule, [{ cron: "17 2 * * 0" }]);
  assert.deepEqual(permissions, { contents: "read" });
  const { strategy, steps } = jobs.run;
  assert.deepEqual(strategy, { matrix: { node: [22, 24, 26] } });
  assert.deepEqual(
    steps.flatMap(({ run = [] }) => run),
    ["npm ci", "npm ci --prefix test/peers --no-audit --no-fund", "npm run bench -- all"],
  );
  const { uses, if: when, with: options } = steps.at(-1)!;
  assert.match(uses!, /^actions\/upload-artifact@/);
  assert.deepEqual(
    [when, options],
    [
      "always()",
      {
        name: "bench-results-${{ matrix.node }}",
        path: "tools/bench/results",
        "retention-days": 90,
      },
    ],
  );
});

test("every published adapter is tested monthly, and its results and recordings are kept", () => {
  const text = files.find(([path]) => path === "workflows/conformance.yml")![1];
  const { on, jobs } = parse(text) as {
    on: { schedule: readonly { cron: string }[] };
    jobs: { run: { steps: readonly { run?: string; with?: { path?: string } }[] } };
  };
  const { steps } = jobs.run;
  assert.deepEqual(on.schedule, [{ cron: "41 3 1 * *" }]);
  assert.deepEqual(
    steps.flatMap(({ run = [] }) => run),
    [
      "npm ci",
      "npm run build",
      "apt-get update && apt-get install --yes --no-install-recommends python3-pip",
      'node build/conformance/adapters/install.js "$WIREWRIGHT_ADAPTERS"',
      "node build/conformance/published/cli.js",
    ],
  );
  assert.deepEqual(steps.at(-1)!.with!.path!.trim().split("\n"), [
    "conformance/results",
    "docs/conformance.md",
    "docs/capabilities.md",
    "build/conformance-recordings",
  ]);
});

test("each workflow may only read, unless a job states what it writes", () => {
  const workflows = files.filter(([path]) => path.startsWith("workflows/"));
  assert.deepEqual(
    workflows.map(([path, text]) => [path, (parse(text) as { permissions: object }).permissions]),
    workflows.map(([path]) => [path, { contents: "read" }]),
  );
});
