import { readFile } from "node:fs/promises";
import { formatsFolder } from "../generator/base/bundled.js";
import type { Terminal } from "../generator/base/terminal.js";
import { modelDocument } from "../generator/model/model-document.js";
import { readProtocol, readVersionName } from "../generator/read/read-protocol.js";
import { argumentError } from "./argument-error.js";
import { describeCommand, readCommandLine } from "./command-line.js";
import { protocolOperand, readingOptions } from "./shared-options.js";

export const modelCommand = describeCommand({
  name: "model",
  forms: ["PROTOCOL [options]", "schema"],
  about:
    "Prints a protocol's model as JSON, for code generators that target other languages: definitions, messages with their directions, envelope and framing. The second form prints the model's JSON Schema.",
  operands: [protocolOperand],
  options: {
    format: { value: "FORMAT", help: "", choices: ["json"], default: "json" },
    ...readingOptions,
  },
  examples: [
    ["model dap > dap.json", "the newest bundled version"],
    ["model lsp --schema metaModel.json", "a protocol whose schema is not bundled"],
  ],
  status: "0 on success, 2 if the arguments or the input are invalid.",
});

/** Runs `wirewright model`. Returns the exit status. */
export async function runModel(args: readonly string[], terminal: Terminal): Promise<number> {
  const call = readCommandLine(modelCommand, args, terminal);
  if (call === undefined) return 0;
  const { values, positionals } = call;
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw argumentError("Cannot print a model: give one protocol", "See wirewright model --help");
  if (name === "schema") {
    terminal.out((await readFile(new URL("model.schema.json", formatsFolder), "utf8")).trim());
    return 0;
  }
  const named = readVersionName(name, values.version);
  const protocol = await readProtocol(named.protocol, {
    version: named.version,
    schema: values.schema,
    overlays: values.overlay,
  });
  terminal.out(JSON.stringify(modelDocument(protocol), null, 2));
  return 0;
}
