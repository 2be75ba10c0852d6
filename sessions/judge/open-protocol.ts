import * as option from "../../runtime/base/check-options.js";
import { checkArguments } from "../../generator/base/check-arguments.js";
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
