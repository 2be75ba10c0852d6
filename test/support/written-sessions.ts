import assert from "node:assert/strict";
import type { RecordedEntry } from "../../sessions/read/recording.js";

/**
 * Parses a DAP session in the notation of `schema/dap/rule-examples.md`. Each line is a message.
 */
export function writtenSession(text: string): readonly RecordedEntry[] {
  const entries: RecordedEntry[] = [];
  const asked: { readonly name: string; readonly seq: number }[] = [];
  const numbers = { client: 0, adapter: 0 };
  let session: object = {};
  const tell = (from: "client" | "adapter", fields: object): number => {
    const seq = ++numbers[from];
    entries.push({ from, message: { seq, ...fields }, ...session });
    return seq;
  };
  for (const each of expand(text)) {
    const [, sender, whole] = /^(client|adapter) (.*)$/.exec(each) ?? [];
    if (sender !== undefined) {
      entries.push({ from: sender, message: JSON.parse(whole!) as object });
      continue;
    }
    const [, mark = "", name = "", json] = /^(\S+)(?: (\S+)(?: (.*))?)?$/.exec(each)!;
    if (mark === "session") {
      session = { session: 2 };
      Object.assign(numbers, { client: 0, adapter: 0 });
      continue;
    }
    const body: unknown = json === undefined || mark === "end" ? undefined : JSON.parse(json);
    const payload = (field: string): object => (body === undefined ? {} : { [field]: body });
    if (mark === "end") {
      entries.push({
        from: "adapter",
        ended: name === "" ? "closed" : [name, ...(json ?? "").split(" ")].join(" ").trim(),
      });
      continue;
    }
    if (mark === "!") tell("adapter", { type: "event", event: name, ...payload("body") });
    else if (mark === "<?")
      tell("adapter", { type: "request", command: name, ...payload("arguments") });
    else if (mark === ">")
      asked.push({
        name,
        seq: tell("client", { type: "request", command: name, ...payload("arguments") }),
      });
    else {
      const place = asked.findIndex((request) => request.name === name);
      const [request] = asked.splice(place, 1);
      assert.ok(request !== undefined, `nothing asks for ${each}`);
      const success = mark === "<";
      tell("adapter", {
        type: "response",
        request_seq: request.seq,
        command: name,
        success,
        ...(mark === "x" ? { message: "no", body: {} } : {}),
        ...(mark === "x!" ? { body: {} } : {}),
        ...(success ? payload("body") : (body as object | undefined)),
      });
    }
  }
  return entries;
}

function expand(text: string): readonly string[] {
  return text
    .trim()
    .split("\n")
    .flatMap((each) => {
      const [, word, capabilities] = /^(open|run)(?: (.*))?$/.exec(each) ?? [];
      if (word === undefined) return [each];
      const opening = ['> initialize {"adapterID":"a"}', `< initialize ${capabilities ?? "{}"}`];
      const start = ["> launch {}", "! initialized", "< launch"];
      const stop = '! stopped {"reason":"entry","threadId":1}';
      return word === "open" ? opening : [...opening, ...start, stop];
    });
}
