/**
 * The process that shows the sessions of a tap, and checks their messages. It reads the recording
 * as it grows, and ends when the tap has closed the channel and everything has been shown.
 */
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../generator/base/input-error.js";
import { countText } from "../../generator/base/plural.js";
import { visible } from "../../generator/base/visible-text.js";
import { readProtocol, readVersionName } from "../../generator/read/read-protocol.js";
import { readHost } from "../judge/host-table.js";
import { listRules, type LintFinding } from "../judge/rules.js";
import { readSessionRules } from "../judge/session-rules.js";
import type { Observed } from "../read/captured-sessions.js";
import { LineCutter } from "../read/json-lines.js";
import { contentsOf } from "../read/recorded-lines.js";
import { LivePage } from "../show/inspector/live-page.js";
import { servePage } from "../show/inspector/page-server.js";
import { LiveView } from "./live-view.js";
import { MessageFilter } from "./message-filter.js";
import { ShownSessions, type SessionWatcher } from "./shown-sessions.js";
import type { ViewerNote, ViewerOrder, ViewerSettings } from "./viewer-process.js";

/** Maximum number of bytes to read at a time. */
const pieceBytes = 256 * 1024;

/** Milliseconds to wait before looking for more bytes. */
const pollMs = 30;

/** Maximum number of bytes waiting to be printed. Beyond it, lines are dropped. */
const maxUnread = 1024 * 1024;

/** Milliseconds that readers of the output and the page have, at the end, to read the rest. */
const lastReadMs = 2_000;

const tell = (note: ViewerNote): void => void process.send!(note);

/** Prints lines without waiting for whoever reads them. */
class Printer {
  #dropped = 0;

  print(line: string): void {
    if (process.stderr.writableLength > maxUnread) {
      this.#dropped++;
      return;
    }
    this.end();
    process.stderr.write(`${line}\n`);
  }

  /** Reports the lines that were dropped. */
  end(): void {
    if (this.#dropped === 0) return;
    const count = this.#dropped;
    this.#dropped = 0;
    this.print(
      `            Did not print ${countText(count, "line")}, because the output was not read`,
    );
  }
}

class PageWatcher implements SessionWatcher {
  readonly #page: LivePage;

  constructor(page: LivePage) {
    this.#page = page;
  }

  observe(observed: Observed, session: number | undefined): void {
    const { time, from } = observed;
    this.#page.push({ time, from, session, ...contentsOf(observed) });
  }

  find(finding: LintFinding, session: number | undefined): void {
    this.#page.find(finding, session);
  }

  end(): void {
    this.#page.end();
  }
}

/** The open parts of the viewer. */
interface Viewer {
  readonly sessions: ShownSessions;
  readonly printer: Printer;
  readonly page: LivePage | undefined;
}

/** @throws InputError for invalid settings. */
async function openViewer(settings: ViewerSettings): Promise<Viewer> {
  const { protocol: name, version } = readVersionName(settings.protocol);
  const { schema, dialect, view } = settings;
  const protocol = await readProtocol(name, { version, schema });
  const rules = await readSessionRules(name, version);
  const host = settings.host === undefined ? undefined : await readHost(settings.host, name);
  const printer = new Printer();
  const watchers: SessionWatcher[] = [];
  if (view !== undefined) {
    const filter = new MessageFilter(protocol, view.filters);
    const live = new LiveView(protocol, (line) => printer.print(line), { ...view, filter });
    const resize = (): void => live.resize(process.stderr.columns as number | undefined);
    resize();
    process.stderr.on("resize", resize);
    watchers.push(live);
  }
  const page =
    settings.page === undefined
      ? undefined
      : new LivePage({ ...protocol, sessionRules: rules }, settings.page, listRules(rules, host));
  if (page !== undefined) watchers.push(new PageWatcher(page));
  const judges = settings.judges ? { rules, host } : undefined;
  return { sessions: new ShownSessions(protocol, { watchers, dialect, judges }), printer, page };
}

let isPaused = false;
let isComplete = false;

type FollowOrder = Extract<ViewerOrder, { readonly kind: "follow" }>;

/** Shows a recording until it is complete. */
async function follow(
  { path, start, isTemporary }: FollowOrder,
  sessions: ShownSessions,
): Promise<void> {
  const file = await open(path);
  // An open file need not have a name, except on Windows. So it does not remain if the tap is killed.
  if (isTemporary) await rm(dirname(path), { recursive: true }).catch(() => undefined);
  const lines = new LineCutter(Infinity, {
    line(bytes) {
      const { session, ...observed } = JSON.parse(utf8.decode(bytes)) as Observed & {
        readonly session?: number;
      };
      // The first line of a recording is not an observation.
      if ("kind" in observed) sessions.observe(observed as Observed, session);
    },
    tooLong: () => undefined,
  });
  const piece = Buffer.alloc(pieceBytes);
  for (let position = start; ; await nextTurn()) {
    while (isPaused && !isComplete) await sleep(pollMs);
    // Ask this before reading, because more bytes may be written afterwards.
    const isLast = isComplete;
    const { bytesRead } = await file.read(piece, 0, pieceBytes, position);
    lines.push(piece.subarray(0, bytesRead));
    position += bytesRead;
    if (bytesRead > 0) continue;
    if (isLast) return file.close();
    await sleep(pollMs);
  }
}

const utf8 = new TextDecoder();

/** Waits until everything that was printed or sent to a page has been read, but not for long. */
async function deliver({ printer, page }: Viewer): Promise<void> {
  printer.end();
  const end = performance.now() + lastReadMs;
  const isRead = (): boolean =>
    process.stderr.writableLength === 0 && (page === undefined || page.isDelivered);
  while (!isRead() && performance.now() < end) await sleep(pollMs);
}

async function run(): Promise<void> {
  // Orders may arrive before the settings have been applied.
  const recording = new Promise<FollowOrder | undefined>((resolve) => {
    process.on("message", (order: ViewerOrder) => {
      if (order.kind === "follow") resolve(order);
      else isPaused = order.isPaused;
    });
    process.on("disconnect", () => {
      isComplete = true;
      resolve(undefined);
    });
  });
  const viewer = await openViewer(JSON.parse(process.argv[2]!) as ViewerSettings);
  const server = viewer.page && (await servePage(0, viewer.page.handlers));
  tell({ kind: "ready", page: server && { address: server.address, once: server.once } });
  const followed = await recording;
  if (followed !== undefined) await follow(followed, viewer.sessions);
  viewer.sessions.end();
  await deliver(viewer);
}

function fail(error: unknown): void {
  const { message: text } = error as Error;
  const end = (): never => process.exit(1);
  if (error instanceof InputError)
    return void process.send!(
      {
        kind: "refused",
        code: error.code,
        text,
        place: error.place,
        hint: error.hint,
      } satisfies ViewerNote,
      end,
    );
  // Print this here, because the tap may be closing the channel.
  const loss = process.connected
    ? "Messages are no longer shown or checked, but the session continues"
    : "The end of the session is not shown";
  process.stderr.write(`${loss}: ${visible(text)}\n`, end);
}

// A terminal sends these signals to every process. The session ends when the server has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("uncaughtException", fail);
// Ignore an output that is no longer read.
process.stderr.on("error", () => undefined);
run().then(() => process.exit(0), fail);
