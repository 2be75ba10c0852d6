import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, openProtocol } from "wirewright";
import type { AdapterTarget } from "../session/adapter-target.js";
import type { Suite, SuiteOptions } from "../session/suite.js";
import { Programs, type Language, linesOf, marks, type ProgramName } from "../session/programs.js";

/**
 * The folder that contains the fixtures. In the package, it is next to the compiled modules. In the
 * repository, it is in `conformance/`.
 */
const fixtures = ["../fixtures", "../../../conformance/fixtures"]
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(join(path, "languages.json")))!;

/** Returns the languages that the suite has programs for, by name. */
export function languages(): ReadonlyMap<string, Language> {
  const rows = JSON.parse(readFileSync(join(fixtures, "languages.json"), "utf8")) as Record<
    string,
    Omit<Language, "name">
  >;
  return new Map(
    Object.entries(rows).map(([name, row]) => {
      const { like } = row;
      return [name, { name, ...(like && rows[like]), ...row }];
    }),
  );
}

/**
 * Opens a suite that `runSuite` can run.
 *
 * @throws TypeError if there is no target; RangeError if the language is unknown; InputError if the
 * program folder is missing, or a program lacks a mark that the cases require.
 */
export async function openSuite(options: SuiteOptions): Promise<Suite> {
  checkTarget(options);
  const { target, language: name, own, request = "launch", timeoutMs = 10_000 } = options;
  const language = own?.language ?? languages().get(name);
  if (language === undefined)
    throw new RangeError(
      `there is no language "${name}": use ${[...languages().keys()].join(", ")}`,
    );
  const folder = own?.folder ?? join(fixtures, language.like ?? name);
  if (!existsSync(folder))
    throw new InputError(
      "ERR_READ",
      "Cannot read the program folder: it does not exist",
      { file: folder },
      'Set "own" to the folder that contains the programs in the language',
    );
  const scratch = mkdtempSync(join(tmpdir(), "wirewright-conformance-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const programs = new Programs(language, folder, scratch);
  checkMarks(programs);
  return {
    target,
    programs,
    protocol: await openProtocol("dap"),
    request,
    launch: options.launch ?? language.launch,
    adapterId: options.adapterId ?? name,
    timeoutMs,
    isInChild: options.isInChild ?? false,
    stopsFirst: options.stopsFirst ?? false,
    terminal: options.terminal,
    attach: options.attach,
    recordings: options.recordings,
    fixtures,
  };
}

/** @throws TypeError if there is no adapter to start or to connect to. */
function checkTarget(options: Partial<SuiteOptions> | undefined): void {
  const target: Partial<AdapterTarget> = options?.target ?? {};
  const isGiven =
    (target.command?.length ?? 0) > 0 || target.connect !== undefined || target.open !== undefined;
  if (!isGiven)
    throw new TypeError('openSuite: the option "target" requires "command", "connect" or "open"');
}

/**
 * Rejects programs that lack marks required by the cases. Otherwise, a missing mark would count as
 * an adapter failure.
 *
 * @throws InputError for the first missing mark.
 */
function checkMarks(programs: Programs): void {
  for (const [name, needed] of Object.entries(marks) as [ProgramName, readonly string[]][]) {
    if (!programs.has(name)) continue;
    const { file, text } = programs.source(name);
    const lines = linesOf(text);
    const missing = needed.find((mark) => !lines.has(mark));
    if (missing === undefined) continue;
    const mark = missing === "blank" ? "@line blank" : `@bp ${missing}`;
    throw new InputError(
      "ERR_CONFIG",
      `Cannot use the program "${name}": it has no line with the mark "${mark}"`,
      { file },
      `Add the comment "${mark}" to the same line as in fixtures/python, or omit the program and state the reason in the language's "without"`,
    );
  }
}
