import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeRuntime } from "../../../generator/emit/merged-runtime.js";
import { generate } from "../../../cli/index.js";

test("modules are merged into files in the order in which they run", () => {
  const merged = mergeRuntime(
    new Map([
      [
        "index.ts",
        '// Entry.\n\nexport { A as Any, type B } from "./a/a.js";\nexport * as option from "./base/check-options.js";\n',
      ],
      ["node.ts", '// Entry.\n\nexport { n } from "./a/n.js";\n'],
      [
        "base/check-options.ts",
        'import { near } from "./near.js";\n\nexport const text: string = near;\n',
      ],
      ["base/near.ts", 'export const near = "near";\n'],
      [
        "a/a.ts",
        'import * as option from "../base/check-options.js";\nimport { b, type B } from "./b.js";\n\nexport type { B };\ndeclare const setTimeout: Later;\n\n/** An A. */\nexport class A {\n  b: B = b + option.text;\n}\n',
      ],
      [
        "a/b.ts",
        'import type { Later } from "../base/near.js";\n\nexport type B = string;\ndeclare const setTimeout: Later;\nexport const b = "b";\n',
      ],
      [
        "a/n.ts",
        'import { spawn } from "node:child_process";\nimport { A } from "./a.js";\nimport type { B } from "./b.js";\n\nexport const n: B = new A().b + spawn.name;\n',
      ],
    ]),
  );
  const head = "// The parts of the runtime that this package uses.\n\n";
  assert.deepEqual(Object.fromEntries(merged), {
    "options.ts": `${head}export const near = "near";\n\nexport const text: string = near;\n`,
    "index.ts": `${head}import type { Later } from "./options.js";\n\nimport * as option from "./options.js";\n\nexport { A as Any };\nexport * as option from "./options.js";\n\nexport type B = string;\ndeclare const setTimeout: Later;\nexport const b = "b";\n\n/** An A. */\nexport class A {\n  b: B = b + option.text;\n}\n`,
    "node.ts": `${head}import { A, type B } from "./index.js";\nimport { spawn } from "node:child_process";\n\nexport const n: B = new A().b + spawn.name;\n`,
  });
});

test("a package generated with default options has at most 50 files", async () => {
  const { defaultParts } = await import("../../../cli/default-parts.js");
  const only = defaultParts("dap", undefined);
  const { files } = await generate("dap", { trusted: true, only });
  const bytes = [...files.values()].reduce((sum, text) => sum + text.length, 0);
  assert.ok(files.size <= 50, `${files.size} files`);
  assert.ok(bytes <= 1_004_000, `${bytes} bytes`);
});
