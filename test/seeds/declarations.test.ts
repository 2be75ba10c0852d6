import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { emitDeclarationsPackage, generate } from "../../cli/index.js";
import { compile, withProject, writeFiles } from "../support/compile.js";
import { shared, skipWithout } from "../support/paths.js";

const excerpt = "seeds/debugProtocol-1.40-excerpt.d.ts.txt";

test(
  "the 96 interfaces in the published declarations and in ours for 1.40.0 are assignable in both directions; launch accepts more",
  { skip: skipWithout(excerpt) },
  async () => {
    const [, body = ""] = /declare module DebugProtocol \{([^]*)$/.exec(
      readFileSync(shared(excerpt)!, "utf8"),
    )!;
    const names = [...body.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name!);
    assert.equal(names.length, 96);
    const { protocol, files } = await generate("dap", { version: "1.40.0" });
    const ours = emitDeclarationsPackage(protocol)!.get("lib/debugProtocol.d.ts")!;
    // The excerpt does not include all types that its messages name.
    const missing = [...ours.matchAll(/^ {2}(?:export )?(?:interface|type) (\w+)/gm)]
      .map(([, name]) => name!)
      .filter((name) => !names.includes(name) && new RegExp(`\\b${name}\\b`).test(body));
    await withProject((folder) => {
      writeFiles(folder, {
        "ours.d.ts": ours,
        "theirs.d.ts": [
          'import type { DebugProtocol as Rest } from "./ours.js";',
          "export declare namespace DebugProtocol {",
          ...missing.map((name) => `type ${name} = Rest.${name};`),
          body,
          "}",
        ].join("\n"),
        "assign.ts": [
          'import type { DebugProtocol as Ours } from "./ours.js";',
          'import type { DebugProtocol as Theirs } from "./theirs.js";',
          ...names.flatMap((name) => [
            `export const to${name} = (ours: Ours.${name}): Theirs.${name} => ours;`,
            `export const from${name} = (theirs: Theirs.${name}): Ours.${name} => theirs;`,
          ]),
        ].join("\n"),
        "launch.ts": [
          'import type { RequestMessageOf } from "./launch-types.js";',
          'export const launch: RequestMessageOf = { program: "/a", noDebug: true, mine: [1] };',
        ].join("\n"),
        "launch-types.ts": [
          `import type { Requests } from ${JSON.stringify("./maps.js")};`,
          'export type RequestMessageOf = Requests["launch"]["arguments"];',
        ].join("\n"),
        ...Object.fromEntries(
          [...files].filter(([name]) => /^(maps|types|messages)\.ts$/.test(name)),
        ),
        "package.json": '{ "type": "module" }',
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            strict: true,
            noEmit: true,
            module: "nodenext",
            target: "es2022",
            skipLibCheck: true,
          },
          files: ["assign.ts", "launch.ts"],
        }),
      });
      assert.equal(compile("TypeScript 7", "-p", folder), "");

      // A declaration that differs in one property, and a launch that breaks one, do not compile.
      writeFiles(folder, {
        "ours.d.ts": ours.replace("systemProcessId?: number", "systemProcessId?: string"),
        "launch.ts": [
          'import type { RequestMessageOf } from "./launch-types.js";',
          'export const launch: RequestMessageOf = { program: "/a", noDebug: "yes" };',
        ].join("\n"),
      });
      const errors = compile("TypeScript 7", "-p", folder);
      assert.deepEqual(
        [...new Set([...errors.matchAll(/^\S*?(\w+\.ts)\(/gm)].map(([, file]) => file))].sort(),
        ["assign.ts", "launch.ts"],
        errors,
      );
    });
  },
);
