import type { Protocol } from "../model/protocol.js";
import { paint } from "../base/paint.js";
import { visible } from "../base/visible-text.js";
import { LatestEntries } from "../../runtime/base/latest-entries.js";
import { hasFailed, isOfArm } from "../../runtime/protocol/message-fields.js";
import type { Observed, ObservedMessage } from "../session/session-observer.js";

type Fields = { readonly [field: string]: unknown };

/** Largest length of a shown text in characters. */
const shownText = 60;

/** Largest number of requests in flight to remember. Older ones are forgotten. */
const maxWaiting = 10_000;

/** Prints a line per observation: time, sender, message, size, and the time it took to answer. */
export class LiveView {
  readonly #protocol: Protocol;
  readonly #print: (line: string) => void;
  readonly #colours: { readonly colours: boolean };
  /** Names and times of requests in flight, by sender and id. */
  readonly #waiting = new LatestEntries<string, { readonly name: string; readonly time: number }>(
    maxWaiting,
  );

  constructor(protocol: Protocol, print: (line: string) => void, colours: boolean) {
    this.#protocol = protocol;
    this.#print = print;
    this.#colours = { colours };
  }

  show(observed: Observed): void {
    const isFirst = observed.from === this.#protocol.roles[0];
    const head = `${seconds(observed.time)} ${isFirst ? "→" : "←"}`;
    switch (observed.kind) {
      case "message":
        this.#print(`${head} ${this.#message(observed)}`);
        return;
      case "fault":
        this.#print(
          `${head} ${this.#paint("red", `${observed.code} ${visible(observed.text)}`)} at byte ${observed.offset}`,
        );
        return;
      case "noise":
        this.#print(`${head} ${this.#paint("yellow", `noise ${quoted(observed.text)}`)}`);
        return;
      case "end":
        this.#print(`${head} ${this.#paint("bold", `the ${observed.from} ${observed.how}`)}`);
    }
  }

  #message({ from, time, length, message }: ObservedMessage): string {
    const { request, event, response, id = "", replyTo = "" } = this.#protocol.envelope;
    const fields = message as Fields;
    const size = this.#paint("dim", `${length} B`);
    if (response !== undefined && isOfArm(response, fields)) {
      const asked = this.#answered(from, fields[replyTo]);
      const name = response.name === undefined ? undefined : fields[response.name];
      const said = response.errorText === undefined ? "" : fields[response.errorText];
      const outcome = hasFailed(response, fields)
        ? this.#paint(
            "red",
            `failed${typeof said === "string" && said !== "" ? `: ${quoted(said)}` : ""}`,
          )
        : this.#paint("green", "ok");
      const latency = asked === undefined ? "to nothing" : `after ${duration(time - asked.time)}`;
      const what = asked?.name ?? shown(name);
      return `response ${shown(fields[replyTo])} ${what}  ${outcome} ${latency}  ${size}`;
    }
    if (isOfArm(request, fields)) {
      const name = shown(fields[request.name]);
      if (id !== "") this.#ask(from, fields[id], name, time);
      const number = id === "" ? "" : ` ${shown(fields[id])}`;
      return `${request.noun}${number} ${this.#paint("cyan", name)}  ${size}`;
    }
    return isOfArm(event, fields)
      ? `${event.noun} ${this.#paint("bold", shown(fields[event.name]))}  ${size}`
      : `${this.#paint("red", "a message of no kind")}  ${size}`;
  }

  #ask(from: string, number: unknown, name: string, time: number): void {
    if (isId(number)) this.#waiting.set(`${from} ${number}`, { name, time });
  }

  #answered(
    from: string,
    number: unknown,
  ): { readonly name: string; readonly time: number } | undefined {
    if (!isId(number)) return undefined;
    const asking = this.#protocol.roles.find((role) => role !== from)!;
    const key = `${asking} ${number}`;
    const asked = this.#waiting.get(key);
    this.#waiting.delete(key);
    return asked;
  }

  #paint(colour: Parameters<typeof paint>[1], text: string): string {
    return paint(this.#colours, colour, text);
  }
}

/** Whether a value can be an id. Long texts are refused, because a peer could fill the memory with them. */
function isId(value: unknown): value is number | string {
  return typeof value === "number" || (typeof value === "string" && value.length <= shownText);
}

/** Prints a name or an id, or any other value that a peer has sent in its place. */
function shown(value: unknown): string {
  return visible(cut(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")));
}

function quoted(text: string): string {
  return visible(JSON.stringify(cut(text)));
}

function cut(text: string): string {
  return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
}

function seconds(time: number): string {
  return `${(time / 1_000).toFixed(3).padStart(8)}s`;
}

function duration(time: number): string {
  return time < 1_000 ? `${time.toFixed(1)} ms` : `${(time / 1_000).toFixed(2)} s`;
}
