import { inlineTransports, type Transport } from "../../../generated/dap/runtime/index.js";

/** Opens an adapter of `defineAdapter` within the program, as the target of a session. */
export function openInside(adapter: (transport: Transport) => unknown): () => Transport {
  return () => {
    const [own, adapters] = inlineTransports();
    adapter(adapters);
    return own;
  };
}
