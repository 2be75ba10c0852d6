export type Dap = typeof import("@wirewright/dap") & typeof import("@wirewright/dap/connection");

/** Possible behaviours of the adapter's handlers. The arguments of `launch` select one. */
export const behaviours = [
  "return",
  "throw",
  "reject",
  "refuse",
  "bigint",
  "thenable",
  "null-prototype",
  "never",
  "throw-nothing",
  "cycle",
  "late",
  "reject-null-prototype",
  "reject-refusal",
  "throw-throwing",
];

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Handles a request with the behaviour selected by its arguments. */
export function behave(dap: Dap, parameters: unknown, signal: AbortSignal): unknown {
  const cyclic: Record<string, unknown> = {};
  cyclic["itself"] = cyclic;
  switch ((parameters as { behaviour?: unknown } | undefined)?.behaviour) {
    case "throw":
      throw new Error("thrown");
    case "reject":
      return Promise.reject(new Error("rejected"));
    case "refuse":
      throw new dap.Refusal("refused", { body: { error: 1n } } as never);
    case "bigint":
      return { value: 1n };
    case "cycle":
      return Promise.resolve(cyclic);
    case "thenable":
      return { then: (resolve: (value: unknown) => void) => resolve({ a: 1 }) };
    case "null-prototype":
      throw Object.create(null);
    case "throw-nothing":
      return Promise.reject(undefined);
    case "reject-null-prototype":
      return Promise.reject(Object.create(null) as Error);
    case "reject-refusal":
      return Promise.reject(new dap.Refusal("refused", { body: cyclic } as never));
    case "throw-throwing":
      throw Object.defineProperty({}, "message", {
        get() {
          throw new Error("from a value");
        },
      });
    case "never":
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("aborted"))),
      );
    case "late":
      return turn().then(turn);
    default:
      return {};
  }
}
