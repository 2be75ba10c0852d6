import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "../../tools/fuzz/engine.js";
import { type Finding } from "../../tools/fuzz/outcome.js";
import { instrument } from "../../tools/fuzz/instrument.js";
import { bytesOf, escapeBytes, literalOf, unescapeBytes } from "../../tools/fuzz/literal.js";
import { minimise } from "../../tools/fuzz/minimise.js";
import { Random } from "../../tools/fuzz/random.js";
import { printFinding } from "../../tools/fuzz/report.js";
import { runSession } from "../../tools/fuzz/session.js";
import { oracles } from "../../tools/fuzz/target.js";
import { targets } from "../../tools/fuzz/targets/index.js";
import { withFolder } from "../support/compile.js";
import { fromRoot } from "../support/paths.js";
import { installedCoverage, targets as planted } from "./planted-targets.js";

/**
 * Runs a planted target in this thread for up to a given number of executions. Returns the
 * findings.
 */
async function findPlanted(
  name: string,
  seed: number,
  executions: number,
): Promise<readonly Finding[]> {
  const target = planted.find((each) => each.name === name)!;
  const coverage = installedCoverage();
  const findings: Finding[] = [];
  const engine = new Engine(target, await target.open(null!), coverage, seed, {
    onFinding: (finding) => findings.push(finding),
  });
  await engine.begin(target.seeds().map((each) => new Uint8Array(Buffer.from(each))));
  while (engine.stats.executions < executions && findings.length === 0) await engine.step();
  return findings;
}

const found = [
  ["magic", 200_000, "throws", 'bytes("W\\x1dz?")'],
  ["word", 5_000, "throws", 'bytes("open sesame:")'],
  ["endless", 5_000, "work", 'bytes("~")'],
] as const;
for (const [name, executions, oracle, literal] of found) {
  test(`the fuzzer finds and minimises a planted bug: ${name}`, async () => {
    for (const seed of [1, 2, 3]) {
      const [finding] = await findPlanted(name, seed, executions);
      assert.equal(finding?.oracle, oracle, `seed ${seed}`);
      assert.equal(`bytes(${literalOf(finding.input)})`, literal, `seed ${seed}`);
    }
  });
}

test("the fuzzer finds a nested loop by counting its steps", async () => {
  for (const seed of [1, 2, 3]) {
    const [finding] = await findPlanted("quadratic", seed, 40_000);
    assert.equal(finding?.oracle, "work", `seed ${seed}`);
    // If the input were any shorter, the number of steps would be below the limit.
    assert.ok(
      finding.input.length < 200 && finding.input.at(-1) === 0x3b,
      literalOf(finding.input),
    );
  }
});

test("the fuzzer finds a bug that depends on how a stream is split, and shows the split", async () => {
  for (const seed of [1, 2, 3]) {
    const [finding] = await findPlanted("cuts", seed, 40_000);
    assert.deepEqual([finding?.oracle, finding?.input], ["cuts", bytesOf("\ra")], `seed ${seed}`);
  }
});

test("the fuzzer finds slow native code by measuring its time", { timeout: 120_000 }, async () => {
  const [finding] = await findPlanted("backtracking", 1, 40_000);
  assert.equal(finding?.oracle, "time");
});

test("the fuzzer prints a finding as a row that can be pasted into a test", async () => {
  const [finding] = await findPlanted("magic", 2, 200_000);
  assert.match(
    printFinding(finding!),
    /^\/\/ No input makes .*\n\/\/ TypeError: the magic value.*\n\["magic", "W\\x1dz\?"\], \/\/ choice \d+$/,
  );
});

test("the same seed creates the same inputs", async () => {
  const run = async (seed: number): Promise<readonly string[]> => {
    const target = planted.find(({ name }) => name === "word")!;
    const inputs: string[] = [];
    const coverage = installedCoverage();
    const engine = new Engine(target, await target.open(null!), coverage, seed, {
      onFinding: () => undefined,
      onInput: (input, salt) => inputs.push(`${salt} ${escapeBytes(input)}`),
    });
    await engine.begin([bytesOf("a: b\r\n"), bytesOf('{"a":1}')]);
    for (let count = 0; count < 500; count++) await engine.step();
    return inputs;
  };
  const one = await run(1);
  assert.deepEqual(await run(1), one);
  assert.notDeepEqual(await run(2), one);
  assert.equal(new Set(one).size > 400, true);
});

test("the fuzzer finds an input that never returns and continues without it", async () => {
  const findings: Finding[] = [];
  const { stats } = await runSession({
    target: "silent",
    targetsModule: new URL("./planted-targets.js", import.meta.url).href,
    seed: 1,
    seconds: 60,
    executions: 500,
    hangMs: 1_500,
    inputs: [bytesOf("ab~cd"), bytesOf("hello")],
    onFinding: (finding) => findings.push(finding),
  });
  const [first] = findings;
  assert.deepEqual([first?.oracle, first?.input], ["hangs", bytesOf("~")]);
  assert.ok(stats.executions > 0);
});

test("instrumented code behaves the same and has the same line numbers", async () => {
  const source = `export const log = [];
const say = (text) => (log.push(text), text);
export async function* all(limit = 3, { deep = say("deep") } = {}) {
  for (let at = 0; at < limit; at++) if (at % 2) yield at; else say(\`even \${at}\`);
  label: for (const each of [1, 2]) { for (;;) { if (each === 1) continue label; break label; } }
  do say("once"); while (false);
  const choose = (value) => value ? ({ value }) : value ?? deep;
  say(choose(null)); say(choose(1).value || "none");
  let late; late ??= say("late"); late &&= say("later");
  switch (limit) { case 1: case 3: say("three"); default: say("rest"); }
  try { null.x; } catch { say("caught"); } finally { say("done"); }
  await Promise.resolve();
  if (limit) {} else if (deep) say("no");
  class Inner { #field = say("field"); static { say("static"); } get value() { return this.#field; } }
  yield new Inner().value;
}
export const line = () => new Error().stack.split("\\n")[1];
`;
  const results: unknown[] = [];
  installedCoverage();
  for (const code of [source, instrument(source)]) {
    assert.equal(code.split("\n").length, source.split("\n").length);
    const url = `data:text/javascript,${encodeURIComponent(code)}`;
    const { all, log, line } = (await import(url)) as {
      all: (limit?: number) => AsyncIterable<unknown>;
      log: unknown[];
      line: () => string;
    };
    const yielded: unknown[] = [];
    for await (const each of all()) yielded.push(each);
    results.push([yielded, log, /:(\d+):\d+\)?$/.exec(line())?.[1]]);
  }
  assert.deepEqual(results[1], results[0]);
});

test("bytes can be written as a line of text and read back", () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  assert.deepEqual(unescapeBytes(escapeBytes(all)), all);
  assert.equal(escapeBytes(bytesOf('a"\\\r\n\x00\xff')), 'a\\"\\\\\\r\\n\\x00\\xff');
  const long = bytesOf(`a${"bc".repeat(100)}d`);
  assert.equal(literalOf(long), '"a" + "bc".repeat(100) + "d"');
  assert.equal(literalOf(bytesOf("")), '""');
});

test("a minimised input shows the same failure", async () => {
  const holds = (text: RegExp) => (input: Uint8Array) =>
    Promise.resolve(text.test(Buffer.from(input).toString()));
  const bytes = await minimise(bytesOf("some text with ab and then cd in it"), holds(/ab.*cd/));
  assert.equal(Buffer.from(bytes).toString(), "abcd");
  const json = bytesOf('{"a":[1,{"b":"needle","c":[2,3]}],"d":{"e":5}}');
  const small = await minimise(json, holds(/^\{.*needle.*\}$/), "json");
  assert.ok(small.length <= 12, Buffer.from(small).toString());
});

test("random numbers are the same for the same seed", () => {
  const numbers = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.below(1_000));
  };
  assert.deepEqual(numbers(5), numbers(5));
  assert.notDeepEqual(numbers(5), numbers(6));
  assert.ok(new Set(numbers(5)).size > 15);
});

const cli = fromRoot("build/tools/fuzz/cli.js");

function fuzz(...args: readonly string[]): { status: number | null; out: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    encoding: "utf8",
  });
  return { status, out: stdout, error: stderr };
}

test("the command lists targets and oracles and refuses unknown arguments", () => {
  const { status, out } = fuzz("--list");
  assert.equal(status, 0);
  for (const { name } of targets) assert.match(out, new RegExp(`^${name} `, "m"));
  for (const sentence of Object.values(oracles)) assert.ok(out.includes(sentence));
  assert.equal(fuzz("--help").status, 0);
  for (const args of [["--nope"], ["--seconds", "x"], ["--target", "nothing"], ["--input", "a"]]) {
    const { status, out, error } = fuzz(...args);
    assert.deepEqual([status, out, /^\s+at /m.test(error)], [2, "", false], args.join(" "));
    assert.notEqual(error, "");
  }
});

test("no fuzz target fails within five seconds", { timeout: 600_000 }, async () => {
  await withFolder((folder) => {
    const args = ["--seconds", "5", "--seed", "1", "--jobs", "2", "--findings", folder];
    const { status, out, error } = fuzz(...args);
    assert.deepEqual([status, error], [0, ""], out);
    for (const { name } of targets) assert.match(out, new RegExp(`^${name} .* 0  +\\d+ \\(`, "m"));
    const [, executions] = /^(\d+) executions, 0 findings$/m.exec(out)!;
    assert.ok(Number(executions) >= 50 * targets.length, out);
    assert.deepEqual(readdirSync(folder), []);
  });
});

test("the corpus is small and consists of text", () => {
  const folder = fromRoot("tools/fuzz/corpus");
  const files = readdirSync(folder);
  const size = files.reduce((sum, name) => sum + statSync(`${folder}/${name}`).size, 0);
  assert.ok(size < 500_000, `${size} bytes`);
  for (const name of files) {
    assert.ok(
      targets.some((target) => name === `${target.name}.txt`),
      name,
    );
    assert.match(readFileSync(`${folder}/${name}`, "latin1"), /^[\x20-\x7e\n]*$/, name);
  }
});
