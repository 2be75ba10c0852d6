import { openRecordedProtocol, type RecordedProtocol } from "../sessions/judge/open-protocol.js";
import { recordedProtocol } from "../sessions/read/recording-files.js";

interface ProtocolValues {
  readonly protocol?: string | undefined;
  readonly version?: string | undefined;
  readonly schema?: readonly string[] | undefined;
}

/** Opens the protocol that the options name or, without `--protocol`, the recording itself. */
export async function openProtocolOf(
  file: string | undefined,
  { protocol, version, schema }: ProtocolValues,
): Promise<RecordedProtocol> {
  return openRecordedProtocol(protocol ?? (await recordedProtocol(file)), { version, schema });
}
