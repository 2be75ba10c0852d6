import * as option from "../../runtime/base/check-options.js";
import { checkArguments } from "../../generator/base/check-arguments.js";
import { InputError } from "../../generator/base/input-error.js";
import { assembleProtocol } from "../../generator/read/assemble-protocol.js";
import { openDescription } from "../../generator/read/open-description.js";
import { readSessionRules } from "./session-rules.js";
import type { RuleTable } from "./table/rule-table.js";
import type { Protocol } from "../../generator/model/protocol.js";
import {
  readProtocol,
  readVersionName,
  type ReadOptions,
} from "../../generator/read/read-protocol.js";
import { readChecks } from "../../generator/read/read-options.js";

/** A protocol, along with everything that `readRecording`, `lint` and `LintSession` need. */
export interface OpenProtocol extends Protocol {
  /** The name or path used to open the protocol. */
  readonly source: string;
  /** The protocol's session rules. Undefined if there are none. */
  readonly sessionRules: RuleTable | undefined;
}

/**
 * Opens a protocol for reading recordings and checking sessions.
 *
 * @param name Name of a bundled protocol, such as `dap` or `dap@1.68.0`, or path to a
 * `protocol.json` or its folder.
 * @throws InputError with code, location and hint if an input cannot be used. TypeError for an
 * unknown option.
 */
export async function openProtocol(name: string, options: ReadOptions = {}): Promise<OpenProtocol> {
  option.checkOptions("openProtocol", options, readChecks);
  checkArguments("openProtocol", { name: [name, option.text] });
  const { protocol: source, version } = readVersionName(name, options.version);
  const [protocol, sessionRules] = await Promise.all([
    readProtocol(name, options),
    readSessionRules(source, version),
  ]);
  return { ...protocol, source, sessionRules };
}

/** A protocol for reading recordings, of which only the envelope may be known. */
export interface RecordedProtocol extends OpenProtocol {
  /** A sentence about the facts that a schema would add. Undefined if there is a schema. */
  readonly withoutSchema?: string;
}

/**
 * Opens a protocol for reading recordings. If its schema is neither bundled nor given, its envelope
 * and framing suffice.
 *
 * @throws InputError The same errors as `openProtocol`, except `ERR_NO_SCHEMA`.
 */
export async function openRecordedProtocol(
  name: string,
  options: ReadOptions = {},
): Promise<RecordedProtocol> {
  try {
    return await openProtocol(name, options);
  } catch (error) {
    if (!(error instanceof InputError) || !isSchemaAbsent(error)) throw error;
    const { protocol: source } = readVersionName(name, options.version);
    const { description, file } = await openDescription(source, options);
    const protocol = assembleProtocol(
      { ...description, capabilities: {}, gates: {} },
      { file, version: "without schema", unstated: [] },
      { messages: [], definitions: [], bases: { request: "", event: "" } },
    );
    const withoutSchema = `Without its schema, only the envelope of the ${protocol.title} and the order of its messages are known, not the names and contents of messages. ${error.hint}`;
    return { ...protocol, source, sessionRules: undefined, withoutSchema };
  }
}

/** Returns whether a schema is not bundled, or is in a package that is not installed. */
function isSchemaAbsent({ code, hint = "" }: InputError): boolean {
  return code === "ERR_NO_SCHEMA" || (code === "ERR_READ" && hint.startsWith("npm install "));
}
