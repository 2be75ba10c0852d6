import type { Adapter } from "@wirewright/dap/adapter";
import type { Problem } from "@wirewright/dap/connection";
import { request, ScriptedTransport, turns } from "./scripted-connection.js";

export interface Opened<Session> {
  readonly transport: ScriptedTransport;
  readonly connection: ReturnType<Adapter<Session>>;
  readonly problems: Problem[];
  /** Sends messages and returns those that the adapter writes in response, without seq. */
  readonly say: (...messages: readonly object[]) => Promise<readonly object[]>;
}

export function open<Session>(adapter: Adapter<Session>): Opened<Session> {
  const transport = new ScriptedTransport();
  const problems: Problem[] = [];
  const onProblem = (problem: Problem): void => void problems.push(problem);
  const connection = adapter(transport, { onProblem });
  const say = async (...messages: readonly object[]): Promise<readonly object[]> => {
    const from = transport.written.length;
    await transport.sayAll(messages);
    await turns();
    return transport.written.slice(from).map(({ seq: _, ...rest }) => rest);
  };
  return { transport, connection, problems, say };
}

export const initialize = (more: object = {}): object =>
  request(1, "initialize", { adapterID: "a", ...more });

export function answer(request_seq: number, command: string, body?: object): object {
  const answered = { type: "response", request_seq, command, success: true };
  return body === undefined ? answered : { ...answered, body };
}

export const launch = (): void => undefined;
