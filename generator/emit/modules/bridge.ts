import { camelCase, pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { requestErrors } from "./connection-interface.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { runtime } from "./package-names.js";

const maps = "./maps.js";

/** Names that the bridge exports. */
export const bridgeNames = ["bridge", "Bridge", "BridgeMiddleware", "BridgeOptions"] as const;

/**
 * Emits `bridge`, which forwards messages between two peers through middleware.
 *
 * @param parts Name of the constant that contains the parts of a connection.
 */
export function emitBridge({ roles }: Protocol, parts: string, file: SourceFile): void {
  const context = file.importType("BridgeContext", runtime);
  file.doc(
    "Sees and changes the messages that pass through a bridge. A hook returns a message to forward instead of the one it receives, `null` to drop it, or nothing to keep it. Hooks are synchronous. If a peer has no hook and its messages are not checked, its frames are forwarded unparsed. Unchanged messages are forwarded as their original bytes.",
  );
  file.block("export interface BridgeMiddleware {", "}", () => {
    for (const role of roles)
      file.line(
        `${hookOf(role)}?(message: MessageFrom<${quote(role)}>, context: ${context}): object | null | void;`,
      );
    const observer = "(message: MessageFrom<Side>, bytes: Uint8Array, peer: Side): void;";
    file.doc(
      "Called with each message that a peer sends, before any hook. The bytes are valid only during the call.",
    );
    file.line(`received?${observer}`);
    file.doc(
      "Called with each message that is written to a peer, including those that the bridge itself sends. The bytes are valid only during the call.",
    );
    file.line(`sent?${observer}`);
  });
  file.line();
  const options = file.importType("AnyBridgeOptions", runtime);
  file.doc("Options for `bridge`.");
  file.block(`export interface BridgeOptions extends ${options}<Side> {`, "}", () => {
    file.doc("Middleware, in the order in which it receives messages.");
    file.line("readonly middleware?: readonly BridgeMiddleware[];");
  });
  file.line();
  emitInterface(file);
  const [first, second] = roles;
  const ends = roles.map((role) => camelCase(role));
  const source = file.importType("TransportSource", runtime);
  file.doc(
    `Forwards all messages between the transports to the ${first} and to the ${second}, at the pace of the slower peer. Each transport may also be the result of \`spawnTransport\`. When one transport ends, the other is closed. Ids stay the same until the bridge sends messages of its own; from then on, it renumbers forwarded messages.`,
    docTag("throws", "TypeError for unknown options and invalid values."),
  );
  const core = file.importValue("MessageBridge", runtime);
  file.declare(
    "export function bridge",
    [...ends.map((end) => `${end}: ${source}`), "options: BridgeOptions = {}"],
    "): Bridge {",
    () => {
      const hooks = roles.map((role) => quote(hookOf(role))).join(", ");
      file.line(`const transports = [${ends.join(", ")}] as const;`);
      file.line(`const hooks = [${hooks}] as const;`);
      file.line(
        `return new ${core}(${parts}, transports, hooks, options as object) as unknown as Bridge;`,
      );
    },
  );
}

function emitInterface(file: SourceFile): void {
  const end = `${file.importType("BridgeEnd", runtime)}<Side>`;
  const disposable = file.importType("HostAsyncDisposable", runtime);
  file.doc("A running bridge. `await using` closes it at the end of its block.");
  file.block(`export interface Bridge extends ${disposable} {`, "}", () => {
    file.doc("Resolves once both transports are closed, with the reason why the bridge ended.");
    file.line(`readonly closed: Promise<${end}>;`);
    file.doc(
      "Sends the bridge's own request to a peer, and resolves to the result. The response is not forwarded.",
      docTag("throws", requestErrors),
    );
    file.line(
      `request<To extends Side, Name extends ${file.importType("RequestNameFrom", maps)}<PeerOf<To>>>(
  to: To,
  name: Name,
  ...arguments_: RequestParameters<Name>
): Promise<${file.importType("ResultOf", maps)}<Name>>;`,
    );
    const options = file.importType("RequestOptions", runtime);
    const custom = file.importType("CustomRequestOptions", runtime);
    file.doc(
      "Sends a request that the protocol does not define. The `result` option validates the result and determines its type.",
      docTag("throws", requestErrors),
    );
    file.line(
      `requestCustom(
  to: Side,
  name: string,
  arguments_?: unknown,
  options?: ${options},
): Promise<unknown>;
requestCustom<Result>(
  to: Side,
  name: string,
  arguments_: unknown,
  options: ${custom}<Result>,
): Promise<Result>;`,
    );
    file.doc(
      "Sends the bridge's own message, which gets no response. Does nothing once the bridge has ended.",
    );
    file.line(`notify(to: Side, name: string, body?: unknown): void;`);
    file.doc("Resolves once the transport to a peer has accepted everything sent so far.");
    file.line(`flushed(to: Side): Promise<void>;`);
    file.doc("Writes out forwarded messages, then closes both transports.");
    file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<${end}>;`);
  });
  file.line();
}

function hookOf(role: string): string {
  return `from${pascalCase(role)}`;
}
