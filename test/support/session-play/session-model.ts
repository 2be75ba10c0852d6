/** Recomputes a session's state from all the messages that have arrived. */
import type { DebugSession } from "@wirewright/dap/session";
import { isFields, type Delivered, type HostileAdapter } from "./hostile-adapter.js";

type Validators = typeof import("@wirewright/dap/validators");

interface Past {
  readonly delivered: readonly Delivered[];
  readonly root: HostileAdapter;
  /** Whether the session has only ever had one adapter. */
  readonly isAlone: boolean;
  /**
   * How many messages had arrived when the program was last resumed and when it was last restarted.
   */
  readonly resumed: number;
  readonly restarted: number;
}

/** How many characters of output a session must keep. */
const keptOutput = 100_000;

/**
 * Finds a contradiction between the first session's state and its messages. Returns undefined if
 * there is none.
 */
export function findUnlikelyState(
  { validateStoppedEvent, validateOutputEvent }: Validators,
  session: DebugSession,
  { delivered, root, isAlone, resumed, restarted }: Past,
): string | undefined {
  const profile = { profile: "wire" } as const;
  const events = delivered.map(({ adapter, message }, at) => {
    const isEvent = message["type"] === "event";
    return { at, isOwn: adapter === root, name: isEvent ? message["event"] : undefined, message };
  });
  const stops = events.filter(
    ({ name, message }) =>
      name === "stopped" && validateStoppedEvent(message, profile).ok && isFields(message["body"]),
  );
  if (session.stop !== undefined && stops.length === 0) return "a stop that nobody has reported";
  if (!isAlone) return undefined;

  const isEnd = ({ name }: { readonly name: unknown }): boolean =>
    name === "exited" || name === "terminated";
  const hasEnded = root.isOver || events.some((each) => isEnd(each) && each.at >= restarted);
  if (root.isOver && !root.isStuck && session.stop !== undefined) return "a stop after the end";

  const output = events
    .filter(({ name, message }) => name === "output" && validateOutputEvent(message, profile).ok)
    .map(({ message }) => (message["body"] ?? {}) as { output?: unknown; category?: unknown })
    .filter(({ output, category }) => typeof output === "string" && category !== "telemetry")
    .map(({ output }) => output as string)
    .join("");
  if (output.length < keptOutput && session.output.text() !== output)
    return `the output: ${JSON.stringify(session.output.text())}, not ${JSON.stringify(output)}`;

  const last = stops.at(-1);
  const later = events.slice((last?.at ?? 0) + 1);
  const isPresent =
    last !== undefined &&
    last.at >= resumed &&
    !hasEnded &&
    later.every((each) => each.name !== "continued" && !isEnd(each));
  const { stop } = session;
  const body = JSON.stringify((last?.message as { body?: unknown } | undefined)?.body);
  if (isPresent && JSON.stringify(stop?.body) !== body)
    return `the stop: ${JSON.stringify(stop?.body)}, not ${body}`;
  return undefined;
}
