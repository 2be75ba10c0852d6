/**
 * The analysis thread of a tap: it decodes, records, checks and shows messages. Sessions do not
 * wait for it.
 */
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../../generator/base/input-error.js";
import { Analysis } from "./analysis.js";
import type { AnalysisNote, AnalysisOrder, AnalysisSettings } from "./analysis-options.js";
import { QueueReader, type ByteSource } from "./byte-queue.js";
import { GrowingFile } from "./capture-file.js";
import type { Observers } from "./observers.js";
import { SessionLog } from "./session-log.js";

/**
 * While more than `muchBytes` are waiting, messages are only recorded. Showing and checking them
 * resume once no more than `littleBytes` are waiting.
 */
const muchBytes = 8 * 1024 * 1024;
const littleBytes = 1024 * 1024;

/** Milliseconds for which the thread works before it checks for orders again. */
const turnMs = 20;

/**
 * Milliseconds from waking to reading. Because waking the thread delays the session, it is better
 * to wake it less often and read more at a time.
 */
const collectMs = 10;

/**
 * Maximum number of milliseconds to spend, at the end, on sending the remaining updates to pages.
 */
const lastSendMs = 1_000;

const settings = workerData as AnalysisSettings;
const port = parentPort!;
const tell = (note: AnalysisNote): void => port.postMessage(note);

/**
 * Lowers this thread's priority, so that forwarding takes precedence. Only Linux has thread
 * priorities.
 */
function giveWay(): void {
  try {
    if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not allow the priority to be changed.
  }
}

/**
 * Opens the parts of the tap that show and check messages. If messages are only recorded, there are
 * no such parts, and far fewer modules need to be loaded.
 */
async function openObservers(): Promise<Observers> {
  const { framed } = settings;
  if (framed !== undefined) return { protocol: framed, watchers: [] };
  return (await import("./observers.js")).openObservers(settings);
}

/** Opens the recording, if the settings ask for one. */
function openLog({ protocol }: Observers): SessionLog | undefined {
  if (settings.recording === undefined) return undefined;
  const { path, began, isAppended } = settings.recording;
  const onFailed = ({ message }: Error): void => tell({ kind: "failed", text: message });
  return new SessionLog(path, protocol, began, onFailed, isAppended);
}

async function start(): Promise<void> {
  const observers = await openObservers();
  const { protocol, watchers, openDialect, openJudge, redactor, view, output, page } = observers;
  const log = openLog(observers);
  const analysis = new Analysis({ protocol, log, watchers, openDialect, openJudge, redactor });
  let source: ByteSource | undefined = settings.queue && new QueueReader(settings.queue);
  const isOnlyCopy = settings.recording !== undefined && settings.queue !== undefined;
  let isFinishing = false;
  let isBehind = false;

  const run = (): void => {
    const end = performance.now() + turnMs;
    do {
      const bytes = source?.read();
      if (bytes === undefined) return rest();
      const { waiting } = source!;
      isBehind = waiting > (isBehind ? littleBytes : muchBytes);
      analysis.isBehind = isBehind;
      analysis.push(bytes);
      Atomics.add(settings.state.read, 0, BigInt(bytes.length));
    } while (performance.now() < end);
    // If the bytes are not in a file, write messages immediately; otherwise, they would be lost if
    // the process died.
    if (isOnlyCopy) log?.flush();
    output?.flush();
    setImmediate(run);
  };
  /**
   * Flushes the outputs and waits for more bytes. Called when all available bytes have been read.
   */
  const rest = (): void => {
    if (isFinishing) return finish();
    analysis.isBehind = isBehind = false;
    log?.flush();
    output?.flush();
    Atomics.store(settings.state.asleep, 0, 1);
    // Check again, because bytes that arrived before this flag was set did not wake this thread.
    if ((source?.waiting ?? 0) > 0 && Atomics.exchange(settings.state.asleep, 0, 0) === 1)
      setImmediate(run);
  };
  const finish = (): void => {
    analysis.end();
    if (log?.close() === true) tell({ kind: "recorded" });
    if (output !== undefined) output.isPaused = false;
    const pageEnd = performance.now() + lastSendMs;
    const leave = (): void => {
      output?.flush();
      const isDelivered = page === undefined || page.isDelivered || performance.now() > pageEnd;
      if (isDelivered && (output === undefined || output.isEmpty)) tell({ kind: "done" });
      else setTimeout(leave, turnMs);
    };
    leave();
  };

  port.on("message", (order: AnalysisOrder) => {
    switch (order.kind) {
      case "wake":
        setTimeout(run, isOnlyCopy ? 0 : collectMs);
        return;
      case "open":
        source = new GrowingFile(order.path);
        return;
      case "pause":
        if (output !== undefined) output.isPaused = order.isPaused;
        return;
      case "resize":
        view?.resize(order.columns);
        return;
      case "finish":
        isFinishing = true;
        // Do not wake a thread that is awake: it will find the remaining bytes on its own.
        if (Atomics.exchange(settings.state.asleep, 0, 0) === 1) run();
    }
  });
  Atomics.store(settings.state.asleep, 0, 1);
  giveWay();
  const { version, roles } = protocol;
  tell({ kind: "ready", version, roles, page: observers.addresses });
}

try {
  await start();
} catch (error) {
  if (!(error instanceof InputError)) throw error;
  const { code, message: text, place, hint } = error;
  tell({ kind: "refused", code, text, place, hint });
}
