import type { EntryPlace } from "../state/judged-message.js";
import type { Gap } from "../state/knowledge.js";
import type { TableRule } from "./rule-table.js";

/** A finding from a rule in a table. */
export interface TableFinding {
  readonly rule: TableRule;
  /** JSON Pointer into the message. */
  readonly pointer: string;
  readonly value?: unknown;
  /** Path of the missing property. */
  readonly absent?: string;
  /** Why it is unknown whether the message is wrong. */
  readonly gap?: Gap | undefined;
  /** Location of the finding. Default: the judged message. */
  readonly place?: EntryPlace;
}
