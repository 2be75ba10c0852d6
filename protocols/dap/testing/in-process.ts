import { inlineTransports, type Transport } from "../../../generated/dap/runtime/index.js";

/**
 * Runs an adapter created with `defineAdapter` in this process. Use the result as the target of a
 * session or a test client.
 */
export function inProcess(adapter: (transport: Transport) => unknown): () => Transport {
  return () => {
    const [own, adapters] = inlineTransports();
    adapter(adapters);
    return own;
  };
}
