/** Creates DAP messages that have only the given fields. */
export function dapRequest(seq: number, command: string, args?: object): object {
  return { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) };
}

export function dapResponse(
  seq: number,
  request_seq: number,
  command: string,
  body?: object,
): object {
  const answered = { seq, type: "response", request_seq, success: true, command };
  return body === undefined ? answered : { ...answered, body };
}

export function dapEvent(seq: number, event: string, body?: object): object {
  return { seq, type: "event", event, ...(body === undefined ? {} : { body }) };
}
