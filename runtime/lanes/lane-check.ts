import {
  textOfInvalid,
  type AnyValidator,
  type InvalidMessageProblem,
  type MessageCheck,
  type MessageKind,
} from "../connection/message-checks.js";

/** Maximum number of issues to list for a message. */
const maxIssues = 3;

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
  const profile = mode === "strict" ? "strict" : "wire";
  return (kind, name, subject) => {
    // The strict profile is faster, because it does not list unknown fields.
    if (mode === "off" || validate(subject, { maxIssues: 1 }).ok) return undefined;
    const result = validate(subject, { profile, maxIssues });
    if (result.ok) return undefined;
    const { issues } = result;
    const message = textOfInvalid(kind, name, issues);
    const problem = { code: "ERR_INVALID_MESSAGE", message, subject, issues } as const;
    if (mode !== "report") return problem;
    report(problem);
    return undefined;
  };
}
