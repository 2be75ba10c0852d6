type Fields = Record<string, unknown>;

/** Creates DAP messages that have only the given fields. */
export function dapRequest(seq: number, command: string, args?: object): Fields {
  return { seq, type: "request", command, ...(args === undefined ? {} : { arguments: args }) };
}

export function dapResponse(
  seq: number,
  request_seq: number,
  command: string,
  body?: object,
): Fields {
  const answered = { seq, type: "response", request_seq, success: true, command };
  return body === undefined ? answered : { ...answered, body };
}

export function dapEvent(seq: number, event: string, body?: object): Fields {
  return { seq, type: "event", event, ...(body === undefined ? {} : { body }) };
}
