import { rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { captureLine, type CaptureHead, type CaptureRecord } from "../read/capture-format.js";
import type { AnalysisLink } from "./analysis-link.js";
import { QueueWriter, type SharedQueue } from "./byte-queue.js";
import { CaptureFile } from "./capture-file.js";
import { within } from "./within.js";

const utf8 = new TextEncoder();
const lineFeed = utf8.encode("\n");

/** Receives copies of the forwarded bytes. */
export interface ByteSink {
  /**
   * Accepts a record.
   *
   * @param bytes The record's bytes, which must not be changed after the call.
   * @returns A promise if the sender has to wait, which resolves when it may continue.
   */
  take(record: CaptureRecord, bytes?: Uint8Array): Promise<void> | undefined;
  /**
   * Resolves when all bytes have been processed or a time limit has been reached. May be called
   * several times.
   */
  close(): Promise<void>;
}

type Link = Pick<AnalysisLink, "isGone" | "read" | "wake" | "tell" | "finish">;

/**
 * Time limit, in milliseconds, for processing the remaining bytes at the end: `recordingMs` with a
 * recording, `showingMs` without one.
 */
const recordingMs = 10_000;
const showingMs = 2_000;

/** Returns the parts of a record in a capture: its line, its bytes and a line feed. */
function partsOf(record: CaptureRecord, bytes: Uint8Array | undefined): readonly Uint8Array[] {
  const line = utf8.encode(
    captureLine(bytes === undefined ? record : { ...record, length: bytes.length }),
  );
  return bytes === undefined ? [line] : [line, bytes, lineFeed];
}

/**
 * Passes bytes to the analysis through memory rather than a file. If the memory is full, bytes are
 * dropped, and their number is reported to the analysis.
 */
export class QueuedBytes implements ByteSink {
  readonly #link: Link;
  readonly #writer: QueueWriter;
  readonly #isLossless: boolean;
  readonly #say: (text: string) => void;
  /** Number of bytes dropped since the last accepted record, by session and role. */
  readonly #lost = new Map<string, { record: CaptureRecord; length: number }>();
  /** Records without bytes that are still waiting because the memory was full. */
  readonly #late: CaptureRecord[] = [];
  #hasLost = false;
  #hasGivenUp = false;
  #closing: Promise<void> | undefined;

  /**
   * @param isLossless Whether senders have to wait while the memory is full. Even then, bytes are
   * dropped if the analysis makes no progress for a while.
   */
  constructor(link: Link, queue: SharedQueue, isLossless: boolean, say: (text: string) => void) {
    this.#link = link;
    this.#writer = new QueueWriter(queue);
    this.#isLossless = isLossless;
    this.#say = say;
  }

  take(record: CaptureRecord, bytes?: Uint8Array): Promise<void> | undefined {
    if (this.#write(record, bytes)) return undefined;
    if (this.#isLossless && !this.#hasGivenUp) return this.#retry(record, bytes);
    this.#lose(record, bytes);
    return undefined;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const end = performance.now() + (this.#isLossless ? recordingMs : showingMs);
    while (!this.#writeLate() && performance.now() < end && !this.#link.isGone)
      await sleep(retryMs);
    const done = await this.#link.finish(Math.max(0, end - performance.now()));
    if (this.#isLossless && (!done.isRecorded || this.#hasLost))
      this.#say("Cannot complete the recording: the analysis did not keep up [ERR_OUTPUT]");
    else if (!this.#isLossless && !done.isShown)
      this.#say("The end of the session is not shown, because that would take too long");
  }

  #write(record: CaptureRecord, bytes: Uint8Array | undefined): boolean {
    if (!this.#writeLate() || !this.#writer.write(partsOf(record, bytes))) return false;
    this.#link.wake();
    return true;
  }

  /**
   * Passes the waiting records and the numbers of dropped bytes to the analysis. Returns whether
   * there was room for everything.
   */
  #writeLate(): boolean {
    for (const [key, { record, length }] of this.#lost) {
      if (!this.#writer.write(partsOf({ ...record, kind: "lost", length }, undefined)))
        return false;
      this.#lost.delete(key);
    }
    while (this.#late.length > 0) {
      if (!this.#writer.write(partsOf(this.#late[0]!, undefined))) return false;
      this.#late.shift();
    }
    this.#link.wake();
    return true;
  }

  #lose(record: CaptureRecord, bytes: Uint8Array | undefined): void {
    if (bytes === undefined) {
      this.#late.push(record);
      return;
    }
    this.#hasLost = true;
    if (record.kind !== "bytes") return;
    const key = `${record.session ?? ""} ${record.from}`;
    const lost = this.#lost.get(key);
    if (lost === undefined) this.#lost.set(key, { record, length: bytes.length });
    else lost.length += bytes.length;
  }

  async #retry(record: CaptureRecord, bytes: Uint8Array | undefined): Promise<void> {
    let read = this.#link.read;
    for (let since = performance.now(); !this.#link.isGone; await sleep(retryMs)) {
      if (this.#write(record, bytes)) return;
      const now = this.#link.read;
      if (now !== read) {
        read = now;
        since = performance.now();
      } else if (performance.now() - since > patienceMs) break;
    }
    this.#hasGivenUp = true;
    this.#lose(record, bytes);
  }
}

const retryMs = 5;

/**
 * Milliseconds without progress after which the recording is abandoned, so that the session can
 * continue.
 */
const patienceMs = 3_000;

/** Where to write a capture, and whether to keep it. */
export interface CapturePlace {
  readonly path: string;
  /**
   * The recording to be created from the capture, if any. Once it is complete, the capture is
   * removed.
   */
  readonly recording: string | undefined;
  readonly isKept: boolean;
}

/**
 * Returns the location of the capture for a recording made up of lines: next to the recording or,
 * if that is not a regular file, in a temporary folder.
 *
 * @param isAppended Whether other processes may append to the recording at the same time.
 */
export function captureFor(recording: string, isAppended: boolean): CapturePlace {
  const info = statSync(recording, { throwIfNoEntry: false });
  const isFile = info === undefined || info.isFile();
  const path = isFile
    ? `${recording}${isAppended ? `.${process.pid}` : ""}.bytes`
    : join(tmpdir(), `wirewright-${process.pid}-${basename(recording)}.bytes`);
  return { path, recording, isKept: false };
}

/** Writes all bytes to a file, from which the analysis reads them at its own pace. */
export class CapturedBytes implements ByteSink {
  readonly #file: CaptureFile;
  readonly #link: Link | undefined;
  readonly #place: CapturePlace;
  readonly #say: (text: string) => void;
  #closing: Promise<void> | undefined;

  /** @throws InputError `ERR_OUTPUT` if the file cannot be written. */
  constructor(
    place: CapturePlace,
    head: Omit<CaptureHead, "recording" | "form">,
    link: Link | undefined,
    say: (text: string) => void,
  ) {
    this.#link = link;
    this.#place = place;
    this.#say = say;
    this.#file = new CaptureFile(
      place.path,
      () => link?.wake(),
      ({ message }) => say(`Recording stopped, but the session continues: ${message} [ERR_OUTPUT]`),
    );
    const line: CaptureHead = { recording: "wirewright", form: 2, ...head };
    this.#file.write([utf8.encode(`${JSON.stringify(line)}\n`)]);
    link?.tell({ kind: "open", path: place.path });
  }

  take(record: CaptureRecord, bytes?: Uint8Array): Promise<void> | undefined {
    this.#file.write(partsOf(record, bytes));
    return this.#file.room;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const end = performance.now() + recordingMs;
    const { path, recording, isKept } = this.#place;
    await within(this.#file.close(), recordingMs, undefined);
    const left = Math.max(0, end - performance.now());
    const done = await this.#link?.finish(left);
    if (recording === undefined || this.#file.hasFailed) return;
    if (done?.isRecorded !== true)
      this.#say(
        `Cannot complete the recording ${recording}: the whole session is in ${path} [ERR_OUTPUT]\n  wirewright convert ${path} --out ${recording}`,
      );
    else if (!isKept) rmSync(path, { force: true });
  }
}
