/**
 * Measures how much generated source costs a user's compiler: its size, and the processor time for
 * checking a program that uses it, minus the time for an empty program. protobuf-es emits types and
 * a table for its library; the other tools emit only types. wirewright is measured twice: with the
 * types alone and with the whole package.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packPackage } from "../release/pack-package.js";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { fromRoot } from "../../test/support/paths.js";
import { inBenchPeers } from "./bench-peers.js";
import { turnsOf } from "./measure.js";
import { runMetered } from "./metered-process.js";
import { generateProtobuf } from "./protobuf-es.js";
import { figureOf, selects, type Bench } from "./report.js";

const folder = fromRoot("build/tools/bench/compile");

interface Subject {
  readonly name: string;
  /** Writes the files to compare into the folder. */
  write(out: string): void | Promise<void>;
  readonly program: string;
}

const cli = fromRoot("build/cli/main.js");
const run = (...args: readonly string[]): void =>
  void execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });

const wholeProgram =
  'import { createDecoder, type StoppedEvent } from "./dap/index.js"; import { connect } from "./dap/connection.js"; export const use = (event: StoppedEvent): unknown => [event.body.reason, createDecoder, connect];';

const protobufTargets = ["ts", "js+dts"] as const;

function definitionsOf(): object {
  return (JSON.parse(readFileSync(newestDapSchema, "utf8")) as { readonly definitions: object })
    .definitions;
}

const subjects: readonly Subject[] = [
  { name: "an empty program", write: () => undefined, program: "" },
  {
    name: "wirewright generate",
    write: (out) => run(cli, "generate", "dap", "--out", join(out, "dap")),
    program: wholeProgram,
  },
  {
    name: "wirewright generate --target js+dts",
    write: (out) => run(cli, "generate", "dap", "--target", "js+dts", "--out", join(out, "dap")),
    program: wholeProgram,
  },
  {
    name: "wirewright generate --only types",
    write: (out) => run(cli, "generate", "dap", "--only", "types", "--out", join(out, "dap")),
    program:
      'import type { StoppedEvent } from "./dap/types.js"; export const use = (event: StoppedEvent): unknown => event.body.reason;',
  },
  {
    name: "@wirewright/dap, published",
    write: async (out) => {
      const own = join(out, "node_modules/@wirewright/dap");
      mkdirSync(own, { recursive: true });
      const { tarball } = await packPackage("dap", join(folder, "packed/dap"));
      execFileSync("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
    },
    program:
      'import { createDecoder, type StoppedEvent } from "@wirewright/dap"; import { connect } from "@wirewright/dap/connection"; export const use = (event: StoppedEvent): unknown => [event.body.reason, createDecoder, connect];',
  },
  {
    name: "json-schema-to-typescript",
    write: (out) => {
      const tool = fromRoot("node_modules/json-schema-to-typescript/dist/src/cli.js");
      run(tool, "--unreachableDefinitions", newestDapSchema, join(out, "dap.ts"));
    },
    program:
      'import type { StoppedEvent } from "./dap.js"; export const use = (event: StoppedEvent): unknown => event.body.reason;',
  },
  {
    name: "openapi-typescript",
    write: (out) => {
      const schemas = JSON.stringify(definitionsOf()).replaceAll(
        "#/definitions/",
        "#/components/schemas/",
      );
      const info = { title: "DAP", version: "1" };
      const document = {
        openapi: "3.1.0",
        info,
        paths: {},
        components: { schemas: JSON.parse(schemas) as object },
      };
      writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
      const tool = inBenchPeers("openapi-typescript/bin/cli.js");
      run(tool, join(folder, "openapi.json"), "--output", join(out, "dap.ts"));
    },
    program:
      'import type { components } from "./dap.js"; export const use = (event: components["schemas"]["StoppedEvent"]): unknown => event.body.reason;',
  },
  ...protobufTargets.map((target) => ({
    name: `protobuf-es, ${target}`,
    write: (out: string) => generateProtobuf(definitionsOf(), target, out),
    program:
      'import { StoppedEventSchema, type StoppedEvent } from "./dap_pb.js"; export const use = (event: StoppedEvent): unknown => [event.body?.reason, StoppedEventSchema];',
  })),
];

export const bench: Bench = async (report, options) => {
  rmSync(folder, { recursive: true, force: true });
  const chosen = subjects.filter(({ name }, index) => index === 0 || selects(options, [name]));
  const outs: string[] = [];
  for (const [index, { write, program }] of chosen.entries()) {
    const out = join(folder, String(index));
    mkdirSync(out, { recursive: true });
    await write(out);
    const compilerOptions = {
      module: "nodenext",
      target: "es2022",
      lib: ["es2022", "dom"],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    };
    writeFileSync(join(out, "package.json"), '{ "type": "module" }');
    writeFileSync(join(out, "use.ts"), `${program}\nexport {};\n`);
    writeFileSync(
      join(out, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["use.ts"] }),
    );
    outs.push(out);
  }
  const rounds: number[][] = [];
  for (let round = 0; round < options.rounds; round++) {
    const times: number[] = [];
    for (const index of turnsOf(outs.length, round)) times[index] = timeOf(outs[index]!);
    rounds.push(times);
  }
  const table = report.table("compiling", ["what"], { files: "", size: "kB", time: "ns" });
  for (const [index, { name }] of chosen.entries()) {
    const sizes = filesIn(outs[index]!).map((path) => statSync(path).size);
    const beyond = rounds.map((times) => times[index]! - (index === 0 ? 0 : times[0]!));
    table.row([name], {
      files: [sizes.length, 0],
      size: [Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000), 0],
      time: figureOf(beyond),
    });
  }
};

/** Measures how much processor time TypeScript 5.9 takes to check a project. */
function timeOf(out: string): number {
  const { usage, errors } = runMetered([inBenchPeers("typescript/lib/tsc.js"), "-p", out]);
  if (usage === undefined) throw new Error(`${out}: ${errors}`);
  return usage.time;
}

/** Lists the files that a generator wrote, leaving out those of the program that uses them. */
function filesIn(out: string): readonly string[] {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
    .filter(
      (path) => !["package.json", "use.ts", "tsconfig.json"].some((own) => path === join(out, own)),
    );
}
