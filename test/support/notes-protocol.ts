/**
 * A description without messages. The envelope is that of JSON-RPC, without its constants, so that
 * tests can write messages by hand.
 */
export const notes = {
  name: "notes",
  title: "Notes",
  package: "notes",
  roles: ["editor", "keeper"],
  schema: { format: "json-schema", current: "1.0.0", versions: { "1.0.0": "types.json" } },
  messages: { by: "table", requests: {}, events: {} },
  directions: { requests: "editor", events: "keeper" },
  envelope: {
    id: "id",
    replyTo: "id",
    request: { when: { method: true, id: true }, name: "method", payload: "params" },
    event: { when: { method: true, id: false }, name: "method", payload: "params" },
    response: { when: { method: false, id: true }, result: "result", error: "error" },
  },
  framing: { editor: "lines", keeper: "lines" },
};
