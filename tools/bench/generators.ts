/** Generators of code for DAP's schema, each of which writes into a folder. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { fromRoot, inPeers } from "../../test/support/paths.js";
import { generateProtobuf } from "./protobuf-es.js";

export interface Generator {
  write(folder: string): void | Promise<void>;
  /** A program that uses what was written. */
  readonly program: string;
  /** The package that the written code imports, by name. Default: none. */
  readonly library?: readonly [name: string, folder: string];
}

const run = (...args: readonly string[]): void =>
  void execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });

const wirewright = (folder: string, ...options: readonly string[]): void =>
  run(fromRoot("build/cli/main.js"), "generate", "dap", "--out", join(folder, "dap"), ...options);

const { definitions } = JSON.parse(readFileSync(newestDapSchema, "utf8")) as {
  readonly definitions: object;
};

const library = ["@wirewright/runtime", fromRoot("runtime")] as const;
const packageProgram = `import { createDecoder, type StoppedEvent } from "./dap/index.js";
import { connect } from "./dap/connection.js";
export const use = (event: StoppedEvent): unknown => [event.body.reason, createDecoder, connect];`;
const typesProgram = (path: string): string => `import type { StoppedEvent } from "${path}";
export const use = (event: StoppedEvent): unknown => event.body.reason;`;

export const generators: Readonly<Record<string, Generator>> = {
  wirewright: { write: (folder) => wirewright(folder), program: packageProgram, library },
  "wirewright, js+dts": {
    write: (folder) => wirewright(folder, "--target", "js+dts"),
    program: packageProgram,
    library,
  },
  "wirewright, types alone": {
    write: (folder) => wirewright(folder, "--only", "types"),
    program: typesProgram("./dap/types.js"),
    library,
  },
  "json-schema-to-typescript": {
    write(folder) {
      const tool = fromRoot("node_modules/json-schema-to-typescript/dist/src/cli.js");
      run(tool, "--unreachableDefinitions", newestDapSchema, join(folder, "dap.ts"));
    },
    program: typesProgram("./dap.js"),
  },
  "openapi-typescript": {
    write(folder) {
      const schemas = JSON.stringify(definitions).replaceAll(
        "#/definitions/",
        "#/components/schemas/",
      );
      writeFileSync(
        join(folder, "openapi.json"),
        `{"openapi":"3.1.0","info":{"title":"DAP","version":"1"},"paths":{},"components":{"schemas":${schemas}}}`,
      );
      const tool = inPeers("openapi-typescript/bin/cli.js");
      run(tool, join(folder, "openapi.json"), "--output", join(folder, "dap.ts"));
    },
    program: `import type { components } from "./dap.js";
export const use = (event: components["schemas"]["StoppedEvent"]): unknown => event.body.reason;`,
  },
  "protobuf-es": {
    write: (folder) => generateProtobuf(definitions, folder),
    program: `import { StoppedEventSchema, type StoppedEvent } from "./dap_pb.js";
export const use = (event: StoppedEvent): unknown => [event.body?.reason, StoppedEventSchema];`,
    library: ["@bufbuild/protobuf", inPeers("@bufbuild/protobuf")],
  },
};

/** Writes a generator's code and a program that uses it into a folder, beside its library. */
export async function writeProject(
  folder: string,
  { write, program, library }: Generator,
): Promise<void> {
  if (library !== undefined) {
    const [name, target] = library;
    const link = join(folder, "../node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  await write(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "use.ts"), program);
  const compilerOptions = {
    module: "nodenext",
    target: "es2022",
    lib: ["es2022", "dom"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["use.ts"] }),
  );
}
