import { bundledSchemaFolder } from "../../generator/base/bundled.js";
import { files } from "../../generator/base/files.js";
import { receiverOf } from "../../generator/model/queries.js";
import type { Protocol } from "../../generator/model/protocol.js";
import type { RuleTable, TableRule } from "./table/rule-table.js";

/**
 * Framing quirks that some readers cannot handle. `schema/formats/framing-rules.schema.json` documents each
 * property.
 */
export interface FramingRules extends RuleTable {
  readonly rules: readonly TableRule[];
  readonly readers: readonly FrameReader[];
}

/** A program or library that reads frames, and how it handles each quirk. */
export interface FrameReader {
  readonly name: string;
  readonly version?: string;
  readonly protocol: string;
  readonly role: string;
  /** Where this information comes from. */
  readonly source: string;
  readonly reads: readonly string[];
  readonly fails: Readonly<Record<string, ReaderFailure>>;
}

type ReaderFailure = "ends" | "silent" | "drops" | "late";

/** The verb phrase for each kind of failure, in the order in which a finding lists the failures. */
const failures: Readonly<Record<ReaderFailure, string>> = {
  ends: "end",
  silent: "stop reading",
  drops: "lose the message",
  late: "respond late",
};

let framingRules: FramingRules | undefined;

/** Returns the bundled framing rules. */
export function readFramingRules(): FramingRules {
  return (framingRules ??= JSON.parse(
    files.readText(new URL("framing-rules.json", bundledSchemaFolder)),
  ) as FramingRules);
}

/**
 * Lists the readers that fail on a quirk, along with how they fail: "delve 1.20 and rdbg 1.4 end".
 * Returns undefined if no such reader is known.
 *
 * @param from Role that sent the message. If undefined, readers of any role are included.
 */
export function readersText(
  quirks: readonly string[],
  protocol: Protocol,
  from?: string,
): string | undefined {
  const role = from === undefined ? undefined : receiverOf(protocol, from);
  const readers = readFramingRules().readers.filter(
    (reader) => reader.protocol === protocol.name && (role === undefined || reader.role === role),
  );
  const texts = Object.entries(failures).flatMap(([failure, what]) => {
    const names = readers
      .filter(({ fails }) => quirks.some((quirk) => fails[quirk] === failure))
      .map(({ name, version }) => (version === undefined ? name : `${name} ${version}`));
    return names.length === 0
      ? []
      : [`${listed(names)} ${names.length === 1 ? singular(what) : what}`];
  });
  return texts.length === 0 ? undefined : texts.join("; ");
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function singular(what: string): string {
  return what.replace(/^\w+/, (verb) => `${verb}s`);
}
