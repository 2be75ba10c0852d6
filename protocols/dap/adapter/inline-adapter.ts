import type { Adapter } from "./adapter-definition.js";
import { inlineTransports } from "../../../generated/dap/connection.js";

/** An object with a `dispose` function. */
export interface InlineDisposable {
  dispose(): void;
}

/**
 * An adapter that runs in its editor's process, with the members of `vscode.DebugAdapter`. Messages
 * are objects.
 */
export interface InlineAdapter {
  /** Adds a listener for messages from the adapter. */
  readonly onDidSendMessage: (
    listener: (message: object) => unknown,
    thisArgument?: unknown,
    disposables?: { push(disposable: InlineDisposable): unknown },
  ) => InlineDisposable;
  /** Passes a message from the client to the adapter. */
  handleMessage(message: object): void;
  /** Ends the session. */
  dispose(): void;
}

/**
 * Runs an adapter in its editor's process, for `vscode.DebugAdapterInlineImplementation`. This
 * requires neither Node nor a separate process, so it works in web extensions.
 *
 * @example
 *   const factory: vscode.DebugAdapterDescriptorFactory = {
 *     createDebugAdapterDescriptor: () =>
 *       new vscode.DebugAdapterInlineImplementation(inlineAdapter(adapter)),
 *   };
 *
 * @param options Options for the connection.
 */
export function inlineAdapter(
  adapter: Adapter,
  options: Parameters<Adapter>[1] = {},
): InlineAdapter {
  const [editorTransport, adapterTransport] = inlineTransports();
  const { messages } = editorTransport;
  const listeners = new Set<(message: object) => unknown>();
  const report = (cause: unknown): void =>
    options.onProblem?.({ code: "ERR_CALLBACK", message: "onDidSendMessage threw", cause });
  messages!.read(
    (text) => {
      for (const listener of listeners)
        try {
          // Parse the message for each listener, so that each gets its own copy, as with any other
          // transport.
          listener(JSON.parse(text) as object);
        } catch (cause) {
          report(cause);
        }
    },
    () => listeners.clear(),
  );
  const connection = adapter(adapterTransport, options);
  return {
    onDidSendMessage(listener, thisArgument, disposables) {
      const added = (message: object): unknown => listener.call(thisArgument, message);
      listeners.add(added);
      const disposable = { dispose: () => void listeners.delete(added) };
      disposables?.push(disposable);
      return disposable;
    },
    handleMessage(message) {
      const text = JSON.stringify(message) as string | undefined;
      if (text === undefined)
        throw new TypeError(`handleMessage: expected a message, not ${typeof message}`);
      // An editor may still send messages to a session that has ended.
      if (connection.isClosed) return;
      messages!.write(text)?.catch(() => undefined);
    },
    dispose: () => void connection.close(),
  };
}
