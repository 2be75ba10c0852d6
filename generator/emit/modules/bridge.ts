import { camelCase, pascalCase } from "../../model/names.js";
import type { Protocol } from "../../model/protocol.js";
import { docTag } from "../printer/doc-comment.js";
import { createsDecoder } from "./codec-parts.js";
import { requestErrors } from "./connection-interface.js";
import { quote, type SourceFile } from "../printer/source-file.js";
import { type PackageNames, runtime } from "./package-names.js";

const connection = "./connection.js";
const maps = "./maps.js";

/** Names that `message-bridge.ts` exports. */
export const bridgeNames = ["bridge", "Bridge", "BridgeMiddleware", "BridgeOptions"] as const;

/** Emits `message-bridge.ts`, which forwards messages between two peers through middleware. */
export function emitBridge(described: Protocol, names: PackageNames, file: SourceFile): void {
  const { roles } = described;
  const type = (name: string): string => file.importType(name, connection);
  const messageFrom = type("MessageFrom");
  const context = file.importType("BridgeContext", runtime);
  file.doc(
    "Sees and changes the messages that pass through a bridge. A hook returns a message to forward instead of the one it receives, `null` to drop it, or nothing to keep it. Hooks are synchronous. If a peer has no hook and its messages are not checked, its frames are forwarded unparsed. Unchanged messages are forwarded as their original bytes.",
  );
  file.block("export interface BridgeMiddleware {", "}", () => {
    for (const role of roles)
      file.line(
        `${hookOf(role)}?(message: ${messageFrom}<${quote(role)}>, context: ${context}): object | null | void;`,
      );
  });
  file.line();
  const options = file.importType("AnyBridgeOptions", runtime);
  file.doc("Options for `bridge`.");
  file.block(`export interface BridgeOptions extends ${options}<${type("Side")}> {`, "}", () => {
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
  const protocol = file.importValue("protocol", "./protocol.js");
  const decode = createsDecoder(described, file);
  file.declare(
    "export function bridge",
    [...ends.map((end) => `${end}: ${source}`), "options: BridgeOptions = {}"],
    "): Bridge {",
    () => {
      const hooks = roles.map((role) => quote(hookOf(role))).join(", ");
      file.line(`const transports = [${ends.join(", ")}] as const;`);
      file.line(`const hooks = [${hooks}] as const;`);
      file.block("const parts = {", "};", () => {
        file.line(`${protocol},`);
        file.line(`${file.importValue("requests", maps)},`);
        const events = file.importValue(names.events, maps);
        file.line(events === "events" ? "events," : `events: ${events},`);
        file.line(`decode: ${decode},`);
        file.line(
          `validators: ${file.importValue("messageValidators", "./message-validators.js")},`,
        );
      });
      file.line(
        `return new ${core}(parts, transports, hooks, options as object) as unknown as Bridge;`,
      );
    },
  );
}

function emitInterface(file: SourceFile): void {
  const type = (name: string): string => file.importType(name, connection);
  const end = `${file.importType("BridgeEnd", runtime)}<${type("Side")}>`;
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
      `request<To extends ${type("Side")}, Name extends ${file.importType("RequestNameFrom", maps)}<${type("PeerOf")}<To>>>(
  to: To,
  name: Name,
  ...arguments_: ${type("RequestParameters")}<Name>
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
  to: ${type("Side")},
  name: string,
  arguments_?: unknown,
  options?: ${options},
): Promise<unknown>;
requestCustom<Result>(
  to: ${type("Side")},
  name: string,
  arguments_: unknown,
  options: ${custom}<Result>,
): Promise<Result>;`,
    );
    file.doc(
      "Sends the bridge's own message, which gets no response. Does nothing once the bridge has ended.",
    );
    file.line(`notify(to: ${type("Side")}, name: string, body?: unknown): void;`);
    file.doc("Resolves once the transport to a peer has accepted everything sent so far.");
    file.line(`flushed(to: ${type("Side")}): Promise<void>;`);
    file.doc("Writes out forwarded messages, then closes both transports.");
    file.line(`close(options?: ${file.importType("CloseOptions", runtime)}): Promise<${end}>;`);
  });
  file.line();
}

function hookOf(role: string): string {
  return `from${pascalCase(role)}`;
}
