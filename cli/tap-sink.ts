import type { Terminal } from "../generator/base/terminal.js";
import { AnalysisLink } from "../sessions/tap/analysis-link.js";
import { bundledFraming } from "../sessions/tap/bundled-framing.js";
import { createQueue } from "../sessions/tap/byte-queue.js";
import {
  CapturedBytes,
  captureFor,
  QueuedBytes,
  type ByteSink,
} from "../sessions/tap/tapped-bytes.js";
import { readTapSettings, type TapSettings, type TapValues } from "./tap-settings.js";

/**
 * Maximum number of bytes that may wait in memory for analysis. If bytes are recorded without
 * redaction, they wait in a file instead, and the limit does not apply.
 */
const queueBytes = 16 * 1024 * 1024;

/**
 * Opens the sink that receives the bytes of sessions. The sink is undefined if the tap neither
 * shows nor records messages.
 */
export async function openSink(
  values: TapValues,
  command: readonly string[],
  terminal: Terminal,
  say: (text: string) => void,
): Promise<{
  readonly link: AnalysisLink | undefined;
  readonly roles: readonly [string, string];
  readonly sink: ByteSink | undefined;
}> {
  const { bytes } = values;
  const settings = await readTapSettings(values, command, terminal);
  const needsAnalysis =
    settings.view !== undefined || settings.recording !== undefined || settings.page !== undefined;
  const { protocol, schema } = settings;
  const { path: out, isAppended = false } = settings.recording ?? {};
  // A quiet tap does not load the description, because reading it would take longer than everything
  // else that the tap does.
  const bundled = schema === undefined ? bundledFraming(protocol) : undefined;
  const isSimple = !needsAnalysis && bundled !== undefined;
  const framed = isBlind(settings) ? bundled?.json : undefined;
  // With redaction, do not buffer anything on disk, because the bytes contain secrets.
  const isCaptured = bytes !== undefined || (out !== undefined && values.redact !== true);
  const queue = isCaptured ? undefined : createQueue(queueBytes);
  const link = isSimple ? undefined : await AnalysisLink.start({ ...settings, framed, queue }, say);
  const { version, roles } = link ?? bundled!;
  const began = settings.recording?.began ?? new Date().toISOString();
  if (isCaptured) {
    const place =
      bytes === undefined
        ? captureFor(out!, isAppended)
        : { path: bytes, recording: out, isKept: true };
    const head = { protocol: protocol.split("@")[0]!, version, roles, began };
    return { link, roles, sink: new CapturedBytes(place, head, link, say) };
  }
  if (link === undefined || !needsAnalysis) return { link, roles, sink: undefined };
  return { link, roles, sink: new QueuedBytes(link, queue!, out !== undefined, say) };
}

/** Returns whether the tap can work without reading the contents of messages. */
function isBlind({ view, page, recording, host }: TapSettings): boolean {
  const looks = [view, page, recording?.redaction, host];
  return looks.every((each) => each === undefined);
}
