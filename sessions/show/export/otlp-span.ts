import type { ExportedEntry } from "./exporter.js";

/** The numbers that OTLP uses for span kinds. `statusError` is its number for the error status. */
export const spanKinds = { internal: 1, client: 3 } as const;
export const statusError = 2;

interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** 64-bit integers are strings here, as the JSON encoding of Protobuf requires. */
  readonly intValue?: string;
}

export interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}

export interface SpanEvent {
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

export function eventOf(
  { from, printed, ended, fault }: ExportedEntry["entry"],
  message: ExportedEntry["message"],
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

export function textOf(key: string, text: string | undefined): readonly Attribute[] {
  return text === undefined || text === "" ? [] : [{ key, value: { stringValue: text } }];
}

export function numberOf(key: string, value: number): readonly Attribute[] {
  return [{ key, value: { intValue: String(value) } }];
}
