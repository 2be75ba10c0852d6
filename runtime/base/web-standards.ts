/**
 * Types for the web standards that the runtime uses. Modules declare the globals with these types,
 * so a program requires neither DOM nor Node declarations. If a program does include such
 * declarations, returned values have the types declared there.
 */

/** The part of an `AbortSignal` that the runtime needs. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** `AbortSignal` as declared by the program. */
export type HostSignal = typeof globalThis extends { AbortSignal: { prototype: infer Declared } }
  ? Declared
  : Signal;

export type AbortControllerClass = new () => { readonly signal: HostSignal; abort(): void };

/** The part of a `ReadableStream` that the runtime needs. */
export interface Readable<Value> {
  getReader(): Reader<Value>;
}

/** The part of a `ReadableStreamDefaultReader` that the runtime needs. */
export interface Reader<Value> {
  read(): Promise<{ readonly done: false; readonly value: Value } | { readonly done: true }>;
  cancel(reason?: unknown): Promise<void>;
}

/** The part of a `WritableStream` that the runtime needs. */
export interface Writable<Value> {
  getWriter(): Writer<Value>;
}

/** The part of a `WritableStreamDefaultWriter` that the runtime needs. */
export interface Writer<Value> {
  readonly closed: Promise<unknown>;
  readonly ready: Promise<unknown>;
  write(value: Value): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}

/** Stands in for `ReadableStream` in programs that do not declare it. */
interface UndeclaredStream<Value> extends Readable<Value> {
  pipeThrough<Next>(
    pair: StreamPair<UndeclaredStream<Next>, Writable<Value>>,
  ): UndeclaredStream<Next>;
  pipeTo(destination: Writable<Value>): Promise<void>;
}

interface StreamPair<From, To> {
  readonly readable: From;
  readonly writable: To;
}

declare const _stream: typeof globalThis extends {
  ReadableStream: { prototype: infer Declared extends { pipeThrough: unknown } };
}
  ? Declared
  : UndeclaredStream<unknown>;

// A generic type that may be undeclared cannot be named, so infer it from its instances' methods.
type HostReadable<Value> = ReturnType<typeof _stream.pipeThrough<Value>>;
type HostWritable<Value> = Parameters<HostReadable<Value>["pipeTo"]>[0];

/** A `TransformStream`, with its two sides as declared by the program. */
export type HostTransform<From, To> = StreamPair<HostReadable<To>, HostWritable<From>>;

/** The part of a `TransformStreamDefaultController` that the runtime needs. */
interface TransformController<Value> {
  enqueue(value: Value): void;
  terminate(): void;
}

export type TransformStreamClass = new <From, To>(transformer: {
  transform(value: From, controller: TransformController<To>): void;
  flush(controller: TransformController<To>): void;
}) => HostTransform<From, To>;

interface Utf8Decoder {
  decode(bytes: Uint8Array): string;
}

export type TextDecoderClass = new (
  encoding?: "utf-8",
  options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean },
) => Utf8Decoder;

export type TextEncoderClass = new () => {
  encode(text: string): Uint8Array;
  encodeInto(text: string, bytes: Uint8Array): { readonly written: number };
};

export type SetTimeout = (elapsed: () => void, milliseconds?: number) => unknown;
export type ClearTimeout = (timer: unknown) => void;

/** `AsyncDisposable`, if the program declares `Symbol.asyncDispose`. */
export type HostAsyncDisposable = typeof Symbol extends {
  readonly asyncDispose: infer Key extends symbol;
}
  ? { readonly [Method in Key]: () => Promise<void> }
  : object;

/** The part of `performance` that the runtime needs. */
export interface PerformanceClock {
  /** Returns the milliseconds since the program started. */
  now(): number;
}

export type UrlClass = new (text: string) => { readonly host: string; readonly pathname: string };
