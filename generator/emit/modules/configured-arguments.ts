import type { Protocol } from "../../model/protocol.js";
import { requestsConfigured } from "./configuration.js";
import { propertyKey, type SourceFile } from "../printer/source-file.js";

/**
 * Emits `configured-arguments.ts`: the types of the adapter's own arguments, for use by other
 * modules.
 */
export function emitConfiguredArguments(protocol: Protocol, file: SourceFile): void {
  const requests = requestsConfigured(protocol);
  file.doc(
    "The arguments whose attributes the adapter defines, by request. They are derived from the launch configurations that this package was generated from.",
  );
  if (requests.length === 0) {
    file.line("export type ConfiguredArguments = Record<never, never>;");
    return;
  }
  file.block("export interface ConfiguredArguments {", "}", () => {
    for (const { request, Request } of requests)
      file.line(
        `readonly ${propertyKey(request)}: ${file.importType(`${Request}Arguments`, "./configuration.js")};`,
      );
  });
}
