import type { LaneTable } from "../../runtime/lanes/lane-table.js";
import type { Lanes, Protocol } from "./protocol.js";
import { requestsOf } from "./queries.js";

/**
 * Converts a protocol's lanes and the answers to its commands to the form that the runtime uses.
 */
export function laneTableOf(
  protocol: Protocol,
  { lanes, stops, notes, breakdown, unknown }: Lanes,
): LaneTable {
  const commands = requestsOf(protocol).flatMap(({ name, answers }) =>
    answers === undefined ? [] : [[name, answers] as const],
  );
  return { lanes, commands: Object.fromEntries(commands), stops, notes, breakdown, unknown };
}
