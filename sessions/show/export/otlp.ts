import { createHash } from "node:crypto";
import type { LintFinding } from "../../judge/rules.js";
import type { ReadEntry } from "../exchanges/entry-reader.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { Exporter, TextOutput } from "./exporter.js";

/** The numbers that OTLP uses for span kinds, and for the error status. */
const spanKinds = { internal: 1, client: 3 } as const;
const statusError = 2;

/** The values of attributes. Those that are undefined or empty are left out. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Returns attributes in the form that OTLP gives them. 64-bit integers are strings there, as the
 * JSON encoding of Protobuf requires.
 */
function attributesOf(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly object[] => {
    if (value === undefined || value === "") return [];
    if (typeof value === "string") return [{ key, value: { stringValue: value } }];
    const isNumber = typeof value === "number";
    return [{ key, value: isNumber ? { intValue: String(value) } : { boolValue: value } }];
  });
}

/**
 * Maximum number of spans per line of output, events per span, and pending requests to remember.
 */
const spansOfLine = 500;
const eventsOfSpan = 128;
const maxOpen = 10_000;

/**
 * A request that has not been written yet, because its response, or more findings about the latest
 * message, may still follow.
 */
interface OpenRequest {
  readonly index: number;
  readonly name: string;
  readonly time: number;
  attributes: Attributes;
  readonly events: object[];
  dropped: number;
  end?: number;
  status?: { readonly code: number; readonly message?: string };
}

interface SessionTrace {
  readonly number: number;
  readonly traceId: string;
  readonly rootId: string;
  readonly begin: number;
  last: number;
  readonly open: Map<number, OpenRequest>;
  /** Events that do not belong to a request, collected until they are written as a span. */
  events: object[];
  eventsBegin: number;
  spans: number;
}

interface OtlpOptions {
  /** A name that makes this recording's trace ids differ from those of other recordings. */
  readonly name: string;
  readonly protocol: string;
  readonly version: string;
  /** Time at which the recording began, in milliseconds since 1970. */
  readonly began: number;
  readonly toolVersion: string;
}

/**
 * Writes traces as OTLP JSON, with several spans per line. Each session becomes a trace, and each
 * request a span. Events and findings become span events: those about a request belong to its span,
 * and all others to spans named `events`, with up to 128 events each. A child session's trace has a
 * link to the request that started the session.
 */
export class OtlpExporter implements Exporter {
  readonly #output: TextOutput;
  readonly #options: OtlpOptions;
  readonly #sessions = new Map<number, SessionTrace>();
  /** The request that the latest message answers, if that message is a response. */
  #latest: { readonly session: SessionTrace; readonly request: OpenRequest } | undefined;
  #spans: object[] = [];

  constructor(output: TextOutput, options: OtlpOptions) {
    this.#output = output;
    this.#options = options;
  }

  push({ entry, session: number, message, summary }: ReadEntry): void {
    this.#settle();
    const session = this.#sessionOf(number, entry);
    const time = entry.time ?? session.last;
    session.last = Math.max(session.last, time);
    const { kind, name = "", index, answers = 0, hasFailed } = message ?? {};
    const attributes = {
      "wirewright.from": entry.from,
      "wirewright.summary": summary,
      "wirewright.message": index,
    };
    if (kind === "request") {
      this.#forget(session, time);
      const method = { "rpc.system": this.#options.protocol, "rpc.method": name };
      session.open.set(index!, {
        index: index!,
        name,
        time,
        attributes: { ...method, ...attributes },
        events: [],
        dropped: 0,
      });
      return;
    }
    const request = kind === "response" ? session.open.get(answers) : undefined;
    if (request === undefined) {
      const { printed, ended, fault } = entry;
      const other = printed !== undefined ? "printed" : ended !== undefined ? "ended" : fault?.code;
      const title = (kind === "event" ? message?.name : (kind ?? other ?? "noise")) ?? "event";
      return this.#addEvent(session, this.#eventOf(title, time, attributes), time);
    }
    session.open.delete(answers);
    request.end = time;
    request.attributes = {
      ...request.attributes,
      "wirewright.result": summary,
      "wirewright.answer": index,
      ...(hasFailed === true ? { "error.type": "failure" } : {}),
    };
    if (hasFailed === true)
      request.status = { code: statusError, ...(summary === "" ? {} : { message: summary }) };
    this.#latest = { session, request };
  }

  find(finding: LintFinding, number: number): void {
    const session = this.#sessions.get(number);
    if (session === undefined) return;
    const { rule, severity, message, pointer, index, label, time = session.last } = finding;
    const event = this.#eventOf("finding", time, {
      "wirewright.rule": rule,
      "wirewright.severity": severity,
      "wirewright.text": message,
      "wirewright.about": label,
      "wirewright.pointer": pointer,
      "wirewright.message": index,
    });
    const latest = this.#latest?.session === session ? this.#latest.request : undefined;
    // A finding about noise carries the previous message's number but does not belong to that
    // message.
    const request = label === "bytes" ? undefined : (session.open.get(index) ?? latest);
    if (request === undefined) return this.#addEvent(session, event, time);
    if (request.events.length < eventsOfSpan) request.events.push(event);
    else request.dropped++;
  }

  async flush(): Promise<void> {
    if (this.#spans.length >= spansOfLine) this.#writeLine();
    await this.#output.flush();
  }

  async end(sessions: readonly TreeSession[]): Promise<void> {
    this.#settle();
    const tree = new Map(sessions.map((session) => [session.number, session]));
    for (const session of this.#sessions.values()) {
      for (const request of session.open.values()) this.#addRequest(session, request);
      this.#flushEvents(session);
      this.#addRoot(session, tree.get(session.number));
    }
    this.#writeLine();
    await this.#output.finish();
  }

  drop(): Promise<void> {
    return this.#output.drop();
  }

  /**
   * Writes the request that was just answered, because no more findings about its response can
   * follow.
   */
  #settle(): void {
    if (this.#latest === undefined) return;
    const { session, request } = this.#latest;
    this.#latest = undefined;
    this.#addRequest(session, request);
  }

  /**
   * Makes room for another pending request. If there are too many, writes the oldest one without a
   * response.
   */
  #forget(session: SessionTrace, time: number): void {
    if (session.open.size < maxOpen) return;
    const [index, request] = session.open.entries().next().value!;
    session.open.delete(index);
    this.#addRequest(session, { ...request, end: time });
  }

  #sessionOf(number: number, { time = 0, message }: ReadEntry["entry"]): SessionTrace {
    let session = this.#sessions.get(number);
    if (session === undefined) {
      const { name, began } = this.#options;
      // Derive ids from the recording alone, so that every export of it has the same ids.
      const seed = JSON.stringify([name, began, number, time, message]).slice(0, 10_000);
      const hash = createHash("sha256").update(seed).digest("hex");
      session = {
        number,
        traceId: hash.slice(0, 32),
        rootId: hash.slice(32, 48),
        begin: time,
        last: time,
        open: new Map(),
        events: [],
        eventsBegin: time,
        spans: 0,
      };
      this.#sessions.set(number, session);
    }
    return session;
  }

  #eventOf(name: string, time: number, attributes: Attributes): object {
    return { timeUnixNano: this.#nano(time), name, attributes: attributesOf(attributes) };
  }

  #addEvent(session: SessionTrace, event: object, time: number): void {
    if (session.events.length === 0) session.eventsBegin = time;
    session.events.push(event);
    if (session.events.length === eventsOfSpan) this.#flushEvents(session);
  }

  #flushEvents(session: SessionTrace): void {
    const { events, eventsBegin } = session;
    if (events.length === 0) return;
    session.events = [];
    this.#add(session, eventsBegin, Math.max(eventsBegin, session.last), {
      spanId: this.#idOf(session, `events ${session.spans++}`),
      parentSpanId: session.rootId,
      name: "events",
      kind: spanKinds.internal,
      events,
    });
  }

  #addRequest(session: SessionTrace, request: OpenRequest): void {
    const { index, name, time, attributes, events, end, status, dropped } = request;
    const isOpen = end === undefined || undefined;
    this.#add(session, time, Math.max(time, end ?? session.last), {
      spanId: this.#idOf(session, String(index)),
      parentSpanId: session.rootId,
      name: name === "" ? "request" : name,
      kind: spanKinds.client,
      attributes: attributesOf({ ...attributes, "wirewright.unanswered": isOpen }),
      ...(events.length === 0 ? {} : { events }),
      ...(dropped === 0 ? {} : { droppedEventsCount: dropped }),
      status,
    });
  }

  #addRoot(session: SessionTrace, { parent, askedBy, summary }: Partial<TreeSession> = {}): void {
    const { number, rootId, begin, last } = session;
    const owner = parent === undefined ? undefined : this.#sessions.get(parent);
    const opening =
      owner && (askedBy === undefined ? owner.rootId : this.#idOf(owner, String(askedBy)));
    this.#add(session, begin, last, {
      spanId: rootId,
      name: `${this.#options.protocol} session`,
      kind: spanKinds.internal,
      attributes: attributesOf({ "wirewright.session": number, "wirewright.summary": summary }),
      links: owner && [{ traceId: owner.traceId, spanId: opening }],
    });
  }

  #idOf({ traceId }: SessionTrace, part: string): string {
    return createHash("sha256").update(`${traceId} ${part}`).digest("hex").slice(0, 16);
  }

  #nano(time: number): string {
    // Avoid 0, which means "unknown time" in OTLP.
    const micro = Math.max(1, Math.round((this.#options.began + time) * 1_000));
    return `${BigInt(micro) * 1_000n}`;
  }

  #add({ traceId }: SessionTrace, begin: number, end: number, span: object): void {
    const times = { startTimeUnixNano: this.#nano(begin), endTimeUnixNano: this.#nano(end) };
    this.#spans.push({ traceId, ...times, ...span });
    if (this.#spans.length >= spansOfLine) this.#writeLine();
  }

  #writeLine(): void {
    if (this.#spans.length === 0) return;
    const { protocol, version, toolVersion } = this.#options;
    const service = attributesOf({ "service.name": protocol, "service.version": version });
    const scope = { name: "wirewright", version: toolVersion };
    const scopeSpans = [{ scope, spans: this.#spans }];
    this.#spans = [];
    const line = { resourceSpans: [{ resource: { attributes: service }, scopeSpans }] };
    this.#output.add(`${JSON.stringify(line)}\n`);
  }
}
