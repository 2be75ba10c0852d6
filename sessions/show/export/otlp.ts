import { createHash } from "node:crypto";
import type { LintFinding } from "../../judge/rules.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { ReadEntry } from "../exchanges/entry-reader.js";
import type { Exporter, TextOutput } from "./exporter.js";

/** The numbers that OTLP uses for span kinds. `statusError` is its number for the error status. */
const spanKinds = { internal: 1, client: 3 } as const;
const statusError = 2;

interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** 64-bit integers are strings here, as the JSON encoding of Protobuf requires. */
  readonly intValue?: string;
}

interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}

interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly SpanEvent[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code: number; readonly message?: string };
}

function eventOf(
  { from, printed, ended, fault }: ReadEntry["entry"],
  message: ReadEntry["message"],
  timeUnixNano: string,
  summary: string,
): SpanEvent {
  const other =
    printed !== undefined ? "printed" : ended !== undefined ? "ended" : (fault?.code ?? "noise");
  return {
    timeUnixNano,
    name:
      message === undefined
        ? other
        : message.kind === "event"
          ? (message.name ?? "event")
          : message.kind,
    attributes: [
      ...textOf("wirewright.from", from),
      ...textOf("wirewright.summary", summary),
      ...(message === undefined ? [] : numberOf("wirewright.message", message.index)),
    ],
  };
}

function textOf(key: string, text: string | undefined): readonly Attribute[] {
  return text === undefined || text === "" ? [] : [{ key, value: { stringValue: text } }];
}

function numberOf(key: string, value: number): readonly Attribute[] {
  return [{ key, value: { intValue: String(value) } }];
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
  readonly attributes: Attribute[];
  readonly events: SpanEvent[];
  dropped: number;
  end?: number;
  status?: Span["status"];
}

interface SessionTrace {
  readonly number: number;
  readonly traceId: string;
  readonly rootId: string;
  readonly begin: number;
  last: number;
  readonly open: Map<number, OpenRequest>;
  /** Events that do not belong to a request, collected until they are written as a span. */
  events: SpanEvent[];
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
  #spans: Span[] = [];

  constructor(output: TextOutput, options: OtlpOptions) {
    this.#output = output;
    this.#options = options;
  }

  push({ entry, session: number, message, summary }: ReadEntry): void {
    this.#settle();
    const session = this.#sessionOf(number, entry);
    const time = entry.time ?? session.last;
    session.last = Math.max(session.last, time);
    const { kind = "none", name = "", index = 0, answers = 0, hasFailed = false } = message ?? {};
    if (kind === "request") {
      this.#forget(session, time);
      const attributes = [
        ...this.#methodOf(name),
        ...textOf("wirewright.from", entry.from),
        ...textOf("wirewright.summary", summary),
        ...numberOf("wirewright.message", index),
      ];
      session.open.set(index, { index, name, time, attributes, events: [], dropped: 0 });
      return;
    }
    const request = kind === "response" ? session.open.get(answers) : undefined;
    if (request === undefined)
      return this.#addEvent(session, eventOf(entry, message, this.#nano(time), summary), time);
    session.open.delete(answers);
    request.end = time;
    request.attributes.push(
      ...textOf("wirewright.result", summary),
      ...numberOf("wirewright.answer", index),
    );
    if (hasFailed) {
      request.attributes.push(...textOf("error.type", "failure"));
      request.status = { code: statusError, ...(summary === "" ? {} : { message: summary }) };
    }
    this.#latest = { session, request };
  }

  find(finding: LintFinding, number: number): void {
    const session = this.#sessions.get(number);
    if (session === undefined) return;
    const { rule, severity, message, pointer, index, label } = finding;
    const time = finding.time ?? session.last;
    const event: SpanEvent = {
      timeUnixNano: this.#nano(time),
      name: "finding",
      attributes: [
        ...textOf("wirewright.rule", rule),
        ...textOf("wirewright.severity", severity),
        ...textOf("wirewright.message", message),
        ...textOf("wirewright.about", label),
        ...textOf("wirewright.pointer", pointer),
        ...numberOf("wirewright.message", index),
      ],
    };
    // A finding about noise carries the previous message's number but does not belong to that
    // message.
    const request =
      label === "bytes" ? undefined : (session.open.get(index) ?? this.#latestOf(session));
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

  #latestOf(session: SessionTrace): OpenRequest | undefined {
    return this.#latest?.session === session ? this.#latest.request : undefined;
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

  #addEvent(session: SessionTrace, event: SpanEvent, time: number): void {
    if (session.events.length === 0) session.eventsBegin = time;
    session.events.push(event);
    if (session.events.length === eventsOfSpan) this.#flushEvents(session);
  }

  #flushEvents(session: SessionTrace): void {
    const { events } = session;
    if (events.length === 0) return;
    session.events = [];
    this.#add({
      traceId: session.traceId,
      spanId: this.#idOf(session, `events ${session.spans++}`),
      parentSpanId: session.rootId,
      name: "events",
      kind: spanKinds.internal,
      startTimeUnixNano: this.#nano(session.eventsBegin),
      endTimeUnixNano: this.#nano(Math.max(session.eventsBegin, session.last)),
      events,
    });
  }

  #addRequest(session: SessionTrace, request: OpenRequest): void {
    const { index, name, time, attributes, events, end, status, dropped } = request;
    const open =
      end === undefined ? [{ key: "wirewright.unanswered", value: { boolValue: true } }] : [];
    this.#add({
      traceId: session.traceId,
      spanId: this.#idOf(session, String(index)),
      parentSpanId: session.rootId,
      name: name === "" ? "request" : name,
      kind: spanKinds.client,
      startTimeUnixNano: this.#nano(time),
      endTimeUnixNano: this.#nano(Math.max(time, end ?? session.last)),
      attributes: [...attributes, ...open],
      ...(events.length === 0 ? {} : { events }),
      ...(dropped === 0 ? {} : { droppedEventsCount: dropped }),
      status,
    });
  }

  #addRoot(session: SessionTrace, { parent, askedBy, summary }: Partial<TreeSession> = {}): void {
    const owner = parent === undefined ? undefined : this.#sessions.get(parent);
    const opening =
      owner && (askedBy === undefined ? owner.rootId : this.#idOf(owner, String(askedBy)));
    this.#add({
      traceId: session.traceId,
      spanId: session.rootId,
      name: `${this.#options.protocol} session`,
      kind: spanKinds.internal,
      startTimeUnixNano: this.#nano(session.begin),
      endTimeUnixNano: this.#nano(session.last),
      attributes: [
        ...numberOf("wirewright.session", session.number),
        ...textOf("wirewright.summary", summary),
      ],
      links: owner && [{ traceId: owner.traceId, spanId: opening! }],
    });
  }

  /** Attributes defined by the OpenTelemetry conventions for remote procedure calls. */
  #methodOf(name: string): readonly Attribute[] {
    const { protocol } = this.#options;
    return [...textOf("rpc.system", protocol), ...textOf("rpc.method", name)];
  }

  #idOf({ traceId }: SessionTrace, part: string): string {
    return createHash("sha256").update(`${traceId} ${part}`).digest("hex").slice(0, 16);
  }

  #nano(time: number): string {
    // Avoid 0, which means "unknown time" in OTLP.
    const micro = Math.max(1, Math.round((this.#options.began + time) * 1_000));
    return `${BigInt(micro) * 1_000n}`;
  }

  #add(span: Span): void {
    this.#spans.push(span);
    if (this.#spans.length >= spansOfLine) this.#writeLine();
  }

  #writeLine(): void {
    if (this.#spans.length === 0) return;
    const { protocol, version, toolVersion } = this.#options;
    const line = {
      resourceSpans: [
        {
          resource: {
            attributes: [
              ...textOf("service.name", protocol),
              ...textOf("service.version", version),
            ],
          },
          scopeSpans: [{ scope: { name: "wirewright", version: toolVersion }, spans: this.#spans }],
        },
      ],
    };
    this.#spans = [];
    this.#output.add(`${JSON.stringify(line)}\n`);
  }
}
