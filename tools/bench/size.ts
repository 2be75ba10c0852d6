/** Bundles small programs with esbuild: the minified size, and what is left of it after gzip. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "../../test/support/paths.js";
import { Bench } from "./comparison.js";

const use = (name: string, entry = ""): string =>
  `import { ${name} } from "@wirewright/dap${entry}"; console.log(${name}(globalThis.x));`;

const programs: Readonly<Record<string, string>> = {
  "an unused import": `import { isStoppedEvent } from "@wirewright/dap";`,
  isStoppedEvent: use("isStoppedEvent"),
  isValidStoppedEvent: use("isValidStoppedEvent", "/validators"),
  validateStoppedEvent: use("validateStoppedEvent", "/validators"),
  isValid: use("isValid", "/validators"),
  validate: use("validate", "/validators"),
  createEncoder: use("createEncoder"),
  createDecoder: use("createDecoder"),
  connect: use("connect", "/connection"),
  defineAdapter: use("defineAdapter", "/adapter"),
  launch: use("launch", "/session"),
};

const bench = new Bench("size");
for (const [work, contents] of Object.entries(programs)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  });
  const code = outputFiles[0]!.contents;
  const kilobytes = (bytes: number): number => Number((bytes / 1000).toPrecision(3));
  bench.add("bundles", {
    work,
    figures: {
      "minified, kB": kilobytes(code.length),
      "gzip, kB": kilobytes(gzipSync(code, { level: 9 }).length),
    },
  });
}
await bench.finish();
