import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { createApp, type App } from "../support/platforms/check-types.js";
import { compilers, isInstalled, type Compiler } from "../support/compilers.js";
import { fromRoot, skipWithoutPeer } from "../support/paths.js";
import { spawnSync } from "node:child_process";
import { Project } from "ts-morph";
import { writeFiles } from "../support/compile.js";
import { packDap } from "./packed-dap.js";

/** A program on a page, with the compiler messages it produces. */
interface MistakenProgram {
  readonly title: string;
  readonly text: string;
  /** The messages by compiler name. */
  readonly messages: ReadonlyMap<string, string>;
}

/** A page's sections, each with a heading, a program, and the blocks that follow it. */
const sections = /^### (.+)\n\n```ts\n([^]*?)```\n((?:\n```text [^\n]+\n[^]*?```\n)*)/gm;

function readPrograms(page: string): readonly MistakenProgram[] {
  return [...page.matchAll(sections)].map(([, title = "", text = "", blocks = ""]) => ({
    title,
    text,
    messages: new Map(
      [...blocks.matchAll(/```text ([^\n]+)\n([^]*?)```/g)].flatMap(
        ([, names = "", printed = ""]) =>
          names.split(", ").map((name): [string, string] => [name, printed]),
      ),
    ),
  }));
}

/** Writes messages into a page, given by title and compiler. */
function writeMessages(
  page: string,
  messages: ReadonlyMap<string, ReadonlyMap<string, string>>,
): string {
  return page.replaceAll(sections, (_, title: string, text: string) => {
    const names = new Map<string, string[]>();
    for (const [compiler, printed] of messages.get(title)!)
      names.set(printed, [...(names.get(printed) ?? []), compiler]);
    const blocks = [...names].map(
      ([printed, compilers]) => `\n\`\`\`text ${compilers.join(", ")}\n${printed}\`\`\`\n`,
    );
    return `### ${title}\n\n\`\`\`ts\n${text}\`\`\`\n${blocks.join("")}`;
  });
}

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: ["node"],
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

/**
 * Matches two blocks on a page: a program with the word to hover over, and the text that an editor
 * shows.
 */
const hovers = /^```ts (\w+)\n([^`]*)```\n\n```text\n[^]*?```\n/gm;

/**
 * For each program on a page, fills in the text that an editor shows for one word in the program.
 */
function writeHovers(page: string, folder: string, globals: string): string {
  writeFiles(folder, { "hover/tsconfig.json": JSON.stringify(settings) });
  const project = new Project({ tsConfigFilePath: `${folder}/hover/tsconfig.json` });
  project.createSourceFile(`${folder}/hover/globals.ts`, globals);
  const service = project.getLanguageService().compilerObject;
  const textOf = (program: string, word: string): string => {
    const name = `${folder}/hover/${word}.ts`;
    project.createSourceFile(name, program);
    const at = program.search(new RegExp(`\\b${word}\\b(?=[(:])`));
    const info = service.getQuickInfoAtPosition(name, at)!;
    const parts = [...info.displayParts!, { text: "\n\n" }, ...info.documentation!];
    return parts
      .map(({ text }) => text)
      .join("")
      .trim();
  };
  return page.replaceAll(
    hovers,
    (_, word: string, program: string) =>
      `\`\`\`ts ${word}\n${program}\`\`\`\n\n\`\`\`text\n${textOf(program, word)}\n\`\`\`\n`,
  );
}

/** Compiles the programs as modules of a single program. Returns the messages by title. */
function compileMistakes(
  { tsc }: Compiler,
  folder: string,
  globals: string,
  programs: readonly MistakenProgram[],
): ReadonlyMap<string, string> {
  const nameOf = (index: number): string => `program-${index}.ts`;
  writeFiles(folder, {
    "globals.ts": globals,
    ...Object.fromEntries(
      programs.map(({ text }, index) => [nameOf(index), `${text}export {};\n`]),
    ),
    "tsconfig.json": JSON.stringify(settings),
  });
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  const printed = programs.map(() => "");
  let current = -1;
  for (const line of stdout.trimEnd().split("\n")) {
    const [, index, at, message] =
      /^program-(\d+)\.ts\((\d+),\d+\): error (.*)$/.exec(line.trimEnd()) ?? [];
    if (index !== undefined) current = Number(index);
    else if (!line.startsWith("  ")) throw new Error(line);
    printed[current] += index === undefined ? `${line.trimEnd()}\n` : `${at}: ${message}\n`;
  }
  return new Map(programs.map(({ title }, index) => [title, printed[index]!]));
}

const path = fromRoot("test/cases/compiler-messages.md");
const page = readFileSync(path, "utf8");
const programs = readPrograms(page);
const [, globals = ""] = /```ts globals\n([^]*?)```/.exec(page)!;
const chosen = ["7", "5.9", "5.4"].map((version) =>
  compilers.find((each) => each.version === version)!,
);

let app: App;
/** The expected page, filled with the hover texts from an editor. */
let hovered: string | undefined;
const printed = new Map(programs.map(({ title }) => [title, new Map<string, string>()]));

before(async () => {
  app = createApp((await packDap("messages")).tarballs);
  writeFileSync(`${app.folder}/package.json`, '{ "private": true, "type": "module" }');
});

after(() => {
  rmSync(app.folder, { recursive: true, force: true });
  if (process.env["UPDATE_GOLDEN"] === "1" && chosen.every(isInstalled))
    writeFileSync(path, writeMessages(hovered ?? page, printed));
});

for (const compiler of chosen) {
  const name = `TypeScript ${compiler.version}`;
  test(
    `${name} prints the messages shown on the page for common mistakes`,
    { skip: isInstalled(compiler) ? false : skipWithoutPeer(`typescript-${compiler.version}`) },
    () => {
      const messages = compileMistakes(compiler, app.folder, globals, programs);
      for (const [title, text] of messages) printed.get(title)!.set(name, text);
      if (process.env["UPDATE_GOLDEN"] === "1") return;
      for (const { title, messages: expected } of programs)
        assert.equal(messages.get(title), expected.get(name), title);
    },
  );
}

test("an editor shows the hover texts given on the page for the main calls", () => {
  hovered = writeHovers(page, app.folder, globals);
  if (process.env["UPDATE_GOLDEN"] !== "1") assert.equal(hovered, page);
});
