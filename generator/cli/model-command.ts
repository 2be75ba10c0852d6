import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { bundledProtocols, bundledSchemaFolder } from "../base/bundled.js";
import { InputError } from "../base/input-error.js";
import type { Terminal } from "../base/terminal.js";
import { modelDocument } from "../model/model-document.js";
import { readProtocol, readVersionName } from "../read/read-protocol.js";
import { oneOf, schemaOf } from "./option-values.js";

/** The text of `--help`. */
export const modelHelp = (): string => `Usage: wirewright model PROTOCOL [options]
       wirewright model schema

Prints what wirewright knows of a protocol as data, for generators of other languages: definitions, messages with
their directions, envelope, framing. The second form prints the JSON Schema of it.

  PROTOCOL              ${bundledProtocols().join(", ")}, or the path of a protocol.json or of its folder;
                        NAME@VERSION for another bundled version

Options:
  --format FORMAT       json (default)
  --schema FILE|URL|-   schema to use instead of the bundled one; may be given several times, if
                        the protocol has several files
  --version VERSION     bundled version to use
  --overlay FILE        messages and properties of your own; may be given several times
  --help                show this text

Exit status: 0 done, 2 the input or the call is wrong.`;

const options = {
  format: { type: "string" },
  schema: { type: "string", multiple: true },
  version: { type: "string" },
  overlay: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
} as const;

/** `wirewright model`. Returns the exit status. */
export async function runModel(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help === true) {
    terminal.out(modelHelp());
    return 0;
  }
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0)
    throw new InputError(
      "ERR_ARGUMENT",
      "Cannot tell whose model to print: give one protocol",
      {},
      "See wirewright model --help",
    );
  if (name === "schema") {
    terminal.out(
      (await readFile(new URL("model.schema.json", bundledSchemaFolder), "utf8")).trim(),
    );
    return 0;
  }
  oneOf("--format", values.format ?? "json", ["json"]);
  const named = readVersionName(name, values.version);
  const protocol = await readProtocol(named.protocol, {
    ...(named.version === undefined ? {} : { version: named.version }),
    ...schemaOf(values),
    ...(values.overlay === undefined ? {} : { overlays: values.overlay }),
  });
  terminal.out(JSON.stringify(modelDocument(protocol), null, 2));
  return 0;
}
