import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../support/compile.js";
import { fromRoot } from "../../support/paths.js";
import { runCommand, type Outcome } from "../../support/run-command.js";

const ticker = fromRoot("test/fixtures/ticker");
const out = "src/ticker";
const runtime = "some-runtime";

/** Creates a project with the given files and Prettier installed. */
async function withProject(
  files: Readonly<Record<string, string>>,
  use: (folder: string, generate: (...args: string[]) => Outcome) => void,
): Promise<void> {
  await withFolder((folder) => {
    writeFiles(folder, { "package.json": "{}\n", ...files });
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    if (!("node_modules/prettier/package.json" in files))
      symlinkSync(
        fromRoot("node_modules/prettier"),
        join(folder, "node_modules/prettier"),
        "junction",
      );
    // A package without its own copy of the runtime has only a few files to format.
    const job = ["generate", ticker, "--out", out, "--runtime", runtime];
    use(folder, (...args) => runCommand(folder, [...job, ...args]));
  });
}

/** Runs the project's Prettier on the package and returns its output. */
function prettierCheck(folder: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [fromRoot("node_modules/prettier/bin/prettier.cjs"), "--check", "src"],
    { cwd: folder, encoding: "utf8" },
  );
  return stdout + stderr;
}

const packageOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(join(folder, out), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]),
  );

const clean = "Checking formatting...\nAll matched files use Prettier code style!\n";
const contents = "(Ticker 1.0.0: 3 messages, 15 types with validators)";
const written = new RegExp(`^${out}: \\d+ files written [^\n]+\n$`);
const upToDate = { status: 0, stdout: `${out}: up to date ${contents}\n`, stderr: "" };
const noPrettier = `${out}: not formatted, because prettier is configured but not installed: run npm install --save-dev prettier, or pass --no-format\n`;

for (const [name, files] of [
  ["an empty .prettierrc", { ".prettierrc": "{}" }],
  [".prettierrc", { ".prettierrc": '{ "useTabs": true, "singleQuote": true, "printWidth": 120 }' }],
  [
    "package.json",
    {
      "package.json":
        '{ "devDependencies": { "prettier": "*" }, "prettier": { "useTabs": true, "printWidth": 60 } }\n',
    },
  ],
  [
    "prettier.config.mjs with .editorconfig",
    {
      "prettier.config.mjs": "export default { singleQuote: true, semi: false, printWidth: 400 };",
      ".editorconfig": "root = true\n[*]\nindent_style = space\nindent_size = 8\n",
    },
  ],
  [
    ".prettierrc.json with Windows line endings",
    {
      ".prettierrc.json":
        '{ "endOfLine": "crlf", "overrides": [{ "files": "*.md", "options": { "proseWrap": "always" } }] }',
    },
  ],
] as const)
  test(`generate formats with the Prettier settings from ${name}`, async () => {
    await withProject(files, (folder, generate) => {
      const first = generate();
      assert.deepEqual([first.status, first.stderr], [0, ""]);
      assert.match(first.stdout, written);
      assert.equal(prettierCheck(folder), clean);
      const before = packageOf(folder);
      assert.deepEqual(generate(), upToDate);
      assert.deepEqual(generate("--check"), {
        status: 0,
        stdout: "1 package up to date\n",
        stderr: "",
      });
      assert.deepEqual(packageOf(folder), before);
    });
  });

test("the formatted output does not depend on the cache or on edits", async () => {
  await withProject({ ".prettierrc": "useTabs: true" }, (folder, generate) => {
    generate();
    const before = packageOf(folder);
    rmSync(join(folder, "node_modules/.cache"), { recursive: true });
    assert.deepEqual(generate(), upToDate);
    writeFileSync(join(folder, out, "guards.ts"), `${before[`/${out}/guards.ts`]}\n`);
    assert.deepEqual(generate("--check").stdout, `${join(out, "guards.ts")}: changed\n`);
    assert.equal(generate().stdout, `${out}: 1 file written ${contents}\n`);
    assert.deepEqual(packageOf(folder), before);
  });
});

test("changing the configuration formats the package again, and --no-format and format: false turn formatting off", async () => {
  const plain = await packageWithout();
  await withProject({ ".prettierrc": "tabWidth: 3" }, (folder, generate) => {
    generate();
    const three = packageOf(folder);
    writeFileSync(join(folder, ".prettierrc"), "tabWidth: 5");
    assert.equal(generate("--check").status, 1);
    assert.match(generate().stdout, written);
    assert.notDeepEqual(packageOf(folder), three);
    assert.equal(prettierCheck(folder), clean);
    assert.match(generate("--no-format").stdout, written);
    assert.deepEqual(packageOf(folder), plain);
    writeFiles(folder, {
      "wirewright.config.json": JSON.stringify({
        format: false,
        packages: [{ protocol: ticker, out, runtime }],
      }),
    });
    assert.deepEqual(runCommand(folder, ["generate"]), upToDate);
    assert.deepEqual(packageOf(folder), plain);
  });
});

async function packageWithout(): Promise<Readonly<Record<string, string>>> {
  let files: Readonly<Record<string, string>> = {};
  await withProject({}, (folder, generate) => {
    assert.match(generate().stdout, written);
    files = packageOf(folder);
  });
  return files;
}

test("files that Prettier ignores, and all files in a project without a configuration, are written unchanged", async () => {
  const plain = await packageWithout();
  const projects: readonly Readonly<Record<string, string>>[] = [
    { ".prettierrc": "useTabs: true", ".prettierignore": "src/ticker" },
    { ".prettierrc": "useTabs: true", ".gitignore": "/src/" },
    { ".prettierrc": "useTabs: true", "src/.prettierignore": "ticker" },
    { ".editorconfig": "[*]\nindent_style = tab\n" },
    { "package.json": '{ "dependencies": { "prettier": "*" } }' },
  ];
  for (const files of projects)
    await withProject(files, (folder, generate) => {
      assert.match(generate().stdout, written);
      assert.deepEqual(packageOf(folder), plain, JSON.stringify(files));
    });
});

test("an invalid Prettier configuration is reported, and nothing is written", async () => {
  for (const [files, message] of [
    [{ ".prettierrc": "{ useTabs: " }, /^Cannot format with prettier \d.*: .*: [^[]+ \[/],
    [{ ".prettierrc": "tabWidth: wide" }, /^Cannot format with prettier [\d.]+: .*tabWidth/],
    [{ ".prettierrc": "plugins: [nowhere]" }, /^Cannot format with prettier [\d.]+: .*nowhere/],
    [
      { "prettier.config.mjs": 'throw new Error("no\\nstack");' },
      /^Cannot format with prettier [\d.]+: no \[ERR_CONFIG\]/,
    ],
  ] as const)
    await withProject(files, (folder, generate) => {
      const { status, stdout, stderr } = generate();
      const [config = ""] = Object.keys(files);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.ok(stderr.startsWith(`${join(folder, config)}: `), stderr);
      const [first = "", hint, ...more] = stderr.slice(join(folder, config).length + 2).split("\n");
      assert.match(first, message);
      assert.match(first, / \[ERR_CONFIG\]$/);
      assert.deepEqual([hint, more], ["  Correct its configuration, or pass --no-format", [""]]);
      assert.deepEqual(
        readdirSync(folder).sort(),
        [...Object.keys(files), "node_modules", "package.json"].sort(),
      );
      assert.equal(generate("--check").status, 2);
    });
});

/** A Prettier that logs the name of each file it formats. */
const countingPrettier = {
  "node_modules/prettier/package.json": '{ "name": "prettier", "main": "index.js" }',
  "node_modules/prettier/index.js": `
    const { appendFileSync } = require("node:fs");
    exports.version = "2.8.8";
    exports.clearConfigCache = () => undefined;
    exports.resolveConfig = async () => ({});
    exports.resolveConfigFile = async () => null;
    exports.getFileInfo = async () => ({ ignored: false });
    exports.format = (text, { filepath }) => {
      appendFileSync(__dirname + "/asked", filepath.replace(/.*[\\\\/]/, "") + "\\n");
      return text + "\\n";
    };`,
};

test("generate uses the project's own Prettier and formats only changed files", async () => {
  await withProject({ ".prettierrc": "", ...countingPrettier }, (folder, generate) => {
    const asked = (): string[] => {
      const path = join(folder, "node_modules/prettier/asked");
      try {
        return readFileSync(path, "utf8").trimEnd().split("\n");
      } catch {
        return [];
      } finally {
        rmSync(path, { force: true });
      }
    };
    assert.match(generate().stdout, written);
    const all = asked();
    assert.equal(all.length, Object.keys(packageOf(folder)).length);
    assert.ok(all.includes("index.ts") && all.includes(".wirewright.json"));
    assert.deepEqual(generate(), upToDate);
    assert.deepEqual(asked(), []);
    rmSync(join(folder, out, "guards.ts"));
    assert.equal(generate().stdout, `${out}: 1 file written ${contents}\n`);
    assert.deepEqual(asked(), ["guards.ts"]);
  });
});

const noRuntime =
  "The generated code imports @wirewright/runtime, which is not installed: npm install @wirewright/runtime@^0.1\n";

test("if there is a configuration but no Prettier, generate reports it and writes the package unformatted", async () => {
  await withFolder((folder) => {
    // Copy the tool, because Prettier is installed next to the original.
    const rooms = ["cli", "diff", "generator", "launch", "runtime", "sessions"];
    const built = rooms.map((room) => `build/${room}`);
    for (const path of ["package.json", "schema", ...built])
      cpSync(fromRoot(path), join(folder, "tool", path), { recursive: true });
    writeFiles(folder, { "project/.prettierrc": "" });
    const run = (...args: string[]): Outcome => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(folder, "tool/build/cli/main.js"), "generate", "dap", "--out", out, ...args],
        { cwd: join(folder, "project"), encoding: "utf8" },
      );
      return { status, stdout, stderr };
    };
    const { status, stdout, stderr } = run();
    assert.deepEqual([status, stderr], [0, noPrettier + noRuntime]);
    assert.match(stdout, written);
    const { stdout: again, ...others } = run("--no-format");
    assert.deepEqual(others, { status: 0, stderr: "" });
    assert.ok(again.startsWith(`${out}: up to date (`), again);
  });
});
