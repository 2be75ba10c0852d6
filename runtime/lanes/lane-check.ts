import {
  findIssues,
  invalidMessage,
  optionsOf,
  type AnyValidator,
  type InvalidMessageProblem,
  type MessageCheck,
} from "../connection/message-checks.js";
import type { MessageKind } from "../protocol/message-fields.js";

/**
 * Returns the problem for which a message must not be delivered, or undefined if it may be.
 *
 * @param name The message's name. For a response, the name of its command.
 */
export type LaneCheck = (
  kind: MessageKind,
  name: string,
  message: object,
) => InvalidMessageProblem | undefined;

/** Creates the check of the messages that a connection receives. */
export function createLaneCheck(
  mode: MessageCheck,
  validate: AnyValidator,
  report: (problem: InvalidMessageProblem) => void,
): LaneCheck {
  const options = optionsOf(mode);
  return (kind, name, message) => {
    const issues = mode === "off" ? undefined : findIssues(validate, message, options);
    if (issues === undefined) return undefined;
    const problem = invalidMessage(kind, name, message, issues);
    if (mode !== "report") return problem;
    report(problem);
    return undefined;
  };
}
