import {
  notations,
  type DebuggerToFrontend,
  type FrontendToDebugger,
} from "@wirewright/ruby-debug-ide";
import {
  createClient,
  type Client,
  type ClientOptions,
  type LaneError,
} from "@wirewright/ruby-debug-ide/connection";

export const textSilenceMs = 20;

/**
 * Creates a client whose peer is the test. Records the bytes it writes and the result of each
 * command.
 */
export function recordingClient(options: Partial<ClientOptions> = {}): {
  readonly client: Client;
  readonly log: string[];
  readonly run: (line: string) => void;
} {
  const log: string[] = [];
  const client = createClient({
    write: () => undefined,
    textSilenceMs,
    onEvent: ({ element }) => void log.push(`event ${element}`),
    onNote: () => void log.push("note"),
    onUnexpected: (message, command) =>
      void log.push(
        `unexpected ${(message as DebuggerToFrontend).element} after ${command ?? "nothing"}`,
      ),
    ...options,
  });
  const run = (line: string): void => {
    const [read] = notations.frontend.readLine(line) as [FrontendToDebugger];
    const known = read.command in notations.frontend ? undefined : read;
    const sent = (client.send as (name: string, values?: unknown) => Promise<unknown>).call(
      client,
      known!.command,
      (known as { arguments?: unknown }).arguments,
    );
    const name = (answer: unknown): string => (answer as DebuggerToFrontend).element;
    void sent.then(
      (answer) =>
        log.push(`${line}: ${answer === undefined ? "done" : [answer].flat().map(name).join(" ")}`),
      (error: LaneError) => log.push(`${line}: ${error.code} ${error.message}`),
    );
  };
  return { client, log, run };
}
