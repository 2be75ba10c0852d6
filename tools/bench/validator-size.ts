/** Compares the minified and compressed sizes of bundled validators with ajv's standalone code. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { newestDapSchema } from "../../test/support/dap-versions.js";
import { fromRoot } from "../../test/support/paths.js";
import { printTable } from "../../test/support/table.js";
import { writeStandalone } from "./validator-peers.js";

const dap = fromRoot("generated/dap");

async function bundle(contents: string): Promise<{ minified: number; gzipped: number }> {
  const result = await build({
    stdin: { contents, resolveDir: dap, loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    // Do not read the repository's tsconfig.json: the package's users do not have it.
    tsconfigRaw: {},
  });
  const bytes = result.outputFiles[0]!.contents;
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
}

const from = (names: string, file = "validate"): string =>
  `export { ${names} } from "${dap}/${file}.ts";`;
const interpreter = await bundle(`export { createValidator } from "${dap}/runtime/validation.ts";`);
const rows: string[][] = [];

async function row(name: string, contents: string, limit: string, shared = 0): Promise<void> {
  const { minified, gzipped } = await bundle(contents);
  const kB = (bytes: number): string => `${(bytes / 1000).toFixed(2)} kB`;
  rows.push([name, kB(minified), kB(gzipped), shared === 0 ? "" : kB(gzipped - shared), limit]);
}

await row(
  "the interpreter alone",
  `export { createValidator } from "${dap}/runtime/validation.ts";`,
  "",
);
for (const name of ["StoppedEvent", "StackTraceResponse", "InitializeResponse"]) {
  const limits = name === "StoppedEvent" ? ["0.5 kB", "1.1 kB"] : ["", ""];
  await row(`${name}, yes or no`, from(`isValid${name}`), limits[0]!);
  await row(`${name}, with issues`, from(`validate${name}`), limits[1]!, interpreter.gzipped);
  const standalone = writeStandalone(false, [name]);
  await row(`${name}, ajv standalone`, `export { ${name} } from "${standalone}";`, "");
}
await row("all messages, yes or no", from("isValid"), "10 kB");
await row("all messages, with issues", from("validate"), "24 kB");
// The package also includes validators for bodies, which have no names in the schema.
const named = Object.keys(
  (JSON.parse(readFileSync(newestDapSchema, "utf8")) as { definitions: object }).definitions,
);
const validatorsOf = (verb: string, file: string): string =>
  from(named.map((name) => verb + name).join(", "), file);
const yesOrNo = `${validatorsOf("isValid", "checks")} ${from("isValid", "validate")}`;
await row(`all ${named.length} definitions of the schema, yes or no`, yesOrNo, "10 kB");
await row(
  `all ${named.length} definitions of the schema, with issues`,
  `${yesOrNo} ${validatorsOf("validate", "validators")} ${from("validate", "validate")}`,
  "24 kB",
);
await row(
  "the same and all bodies, yes or no",
  `export * from "${dap}/checks.ts"; ${from("isValid", "validate")}`,
  "",
);
await row(
  "the same and all bodies, with issues",
  `export * from "${dap}/checks.ts"; export * from "${dap}/validators.ts"; export * from "${dap}/validate.ts";`,
  "",
);
await row("all definitions, ajv standalone", `export * from "${writeStandalone(false)}";`, "");
printTable(["bundle", "minified", "gzipped", "without the interpreter", "asked for"], rows);
