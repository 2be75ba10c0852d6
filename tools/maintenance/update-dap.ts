import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { formatInputError, InputError } from "../../generator/base/input-error.js";
import { toolFolder } from "../../generator/base/bundled.js";
import { processTerminal, type Terminal } from "../../generator/base/terminal.js";
import { visible } from "../../generator/base/visible-text.js";
import { runGenerate } from "../../cli/generate-command.js";
import { readJsonInput } from "../../generator/read/source/input-source.js";
import { takeInVersion, type TakenIn } from "./take-in-version.js";

const help = `Usage: npm run update:dap -- FILE [VERSION]

Adds a new version of the Debug Adapter Protocol and regenerates all packages.

  FILE      the official schema, debugAdapterProtocol.json: a path or an https: URL
  VERSION   such as 1.72.0; may be omitted if the file name contains it`;

/** Adds a DAP version. Returns the exit status. */
async function updateDap(args: readonly string[], terminal: Terminal): Promise<number> {
  const [file, version = versionIn(file)] = args;
  if (file === undefined || file.startsWith("-") || args.length > 2) {
    terminal.out(help);
    return file === "--help" ? 0 : 2;
  }
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
    throw new InputError(
      "ERR_ARGUMENT",
      version === undefined
        ? `Cannot tell which version "${file}" is`
        : `Cannot use "${version}" as a version`,
      {},
      "Append it to the command, as in 1.72.0",
    );
  const root = fileURLToPath(toolFolder);
  const official = await readJsonInput(file);
  const taken = await takeInVersion(
    fileURLToPath(new URL("schema/dap", toolFolder)),
    official,
    version,
  );
  process.chdir(root);
  report(taken, root, terminal);
  return runGenerate([], terminal);
}

function versionIn(file: string | undefined): string | undefined {
  return /(\d+\.\d+\.\d+)\.json$/.exec(file ?? "")?.[1];
}

function report(taken: TakenIn, root: string, terminal: Terminal): void {
  const { version, path, missing, changed, notes, unusedFlags, written } = taken;
  const say = (title: string, lines: readonly string[]): void => {
    if (lines.length > 0)
      terminal.out([title, ...lines.map((line) => `  ${visible(line)}`), ""].join("\n"));
  };
  const schema = relative(root, path).replaceAll("\\", "/");
  say(
    `Written for DAP ${version}:`,
    written.map((each) => relative(root, each)),
  );
  say(
    `Descriptions missing from ${schema}, to be written in our own words:`,
    missing.map(({ address, official }) =>
      official === undefined ? address : `${address}: ${official.replaceAll(/\s*\n\s*/g, " ")}`,
    ),
  );
  say(`To review in ${schema}, because the structure has changed or was removed:`, changed);
  say(
    "To decide on and add to schema/dap/protocol.json:",
    notes.map(
      ({ part, key, value }) => `${part}: ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
    ),
  );
  say("New flags that do not gate anything yet:", unusedFlags);
}

const terminal = processTerminal();
try {
  process.exitCode = await updateDap(process.argv.slice(2), terminal);
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  terminal.error(formatInputError(error));
  process.exitCode = 2;
}
