import { keyOf, type BreakpointPlan } from "./breakpoint-plan.js";
import { RequestError, type Connection } from "../../../generated/dap/connection.js";
import type { WaitOptions } from "./session-options.js";
import type { Breakpoint, BreakpointEvent, Source } from "../../../generated/dap/types.js";

/** The breakpoints of one session, as the adapter has set them. */
export class KeptBreakpoints {
  readonly #connection: Connection<"client">;
  readonly #plan: BreakpointPlan;
  readonly #set = new Map<string, readonly Breakpoint[]>();
  #functions: readonly Breakpoint[] = [];
  /** Those that the adapter has set by itself. */
  #others: readonly Breakpoint[] = [];

  constructor(connection: Connection<"client">, plan: BreakpointPlan) {
    this.#connection = connection;
    this.#plan = plan;
    // What `console.log` shows in Node.
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(this, inspect, { value: () => this.toJSON() });
    connection.on("breakpoint", (body) => this.#update(body));
  }

  /** All breakpoints as the adapter has set them. */
  get all(): readonly Breakpoint[] {
    return [...[...this.#set.values()].flat(), ...this.#functions, ...this.#others];
  }

  /** The breakpoints of a source, in the order in which they were given. */
  of(source: string | Source): readonly Breakpoint[] {
    return this.#set.get(keyOf(source)) ?? [];
  }

  get functions(): readonly Breakpoint[] {
    return this.#functions;
  }

  /** As plain data: breakpoints by source, and lists of the others if there are any. */
  toJSON(): { readonly [source: string]: readonly Breakpoint[] } {
    const { functions } = this;
    return {
      ...Object.fromEntries(this.#set),
      ...(functions.length > 0 ? { "(functions)": functions } : {}),
      ...(this.#others.length > 0 ? { "(others)": this.#others } : {}),
    };
  }

  /** Sends the breakpoints of a source. What the adapter refuses is not verified. */
  async sendSource(key: string, options?: WaitOptions): Promise<readonly Breakpoint[]> {
    const planned = this.#plan.sources.get(key);
    if (planned === undefined) return [];
    const { source, breakpoints } = planned;
    const lines = breakpoints.map(({ line }) => line);
    // Adapters of today read `breakpoints`. The older `lines` is deprecated.
    const set = await this.#send("setBreakpoints", { source, breakpoints }, lines, options);
    if (breakpoints.length === 0) this.#set.delete(key);
    else this.#set.set(key, set);
    return set;
  }

  async sendFunctions(options?: WaitOptions): Promise<readonly Breakpoint[]> {
    const breakpoints = this.#plan.functions;
    const none = breakpoints.map(() => undefined);
    this.#functions = await this.#send("setFunctionBreakpoints", { breakpoints }, none, options);
    return this.#functions;
  }

  /** The filters to set, those that the adapter names as defaults unless told otherwise. */
  get filters(): readonly string[] {
    const { exceptionBreakpointFilters = [] } = this.#connection.capabilities ?? {};
    const defaults = exceptionBreakpointFilters.filter((each) => each.default === true);
    return this.#plan.filters ?? defaults.map(({ filter }) => filter);
  }

  async sendFilters(options?: WaitOptions): Promise<void> {
    const { filters } = this;
    await this.#connection.requestCustom("setExceptionBreakpoints", { filters }, options);
  }

  /** The requests that set everything that the adapter supports, in their order. */
  *steps(options?: WaitOptions): Generator<() => Promise<unknown>, void, undefined> {
    const flags = this.#connection.capabilities ?? {};
    for (const key of this.#plan.sources.keys()) yield () => this.sendSource(key, options);
    if (this.#plan.functions.length > 0 && flags.supportsFunctionBreakpoints === true)
      yield () => this.sendFunctions(options);
    // Adapters without `configurationDone` start the program after this request.
    const isLast = flags.supportsConfigurationDoneRequest !== true;
    const hasFilters = (flags.exceptionBreakpointFilters ?? []).length > 0;
    if (isLast || hasFilters) yield () => this.sendFilters(options).catch(unlessRefused);
  }

  async #send(
    request: string,
    parameters: object,
    lines: readonly (number | undefined)[],
    options?: WaitOptions,
  ): Promise<readonly Breakpoint[]> {
    let text = `The adapter has not answered for it`;
    let set: readonly Breakpoint[] = [];
    try {
      const body = (await this.#connection.requestCustom(request, parameters, options)) as
        { readonly breakpoints?: readonly Breakpoint[] | null } | undefined;
      set = body?.breakpoints ?? [];
    } catch (error) {
      text = unlessRefused(error).message;
    }
    return lines.map((line, index): Breakpoint => {
      const lost = { verified: false, message: text };
      return set[index] ?? (line === undefined ? lost : { ...lost, line });
    });
  }

  #update({ reason, breakpoint }: BreakpointEvent["body"]): void {
    const { id } = breakpoint;
    let isKnown = false;
    const apply = (kept: readonly Breakpoint[]): readonly Breakpoint[] =>
      kept.flatMap((each) => {
        if (id === undefined || each.id !== id) return [each];
        isKnown = true;
        // What is removed keeps its place, because breakpoints are told apart by it.
        return [reason === "removed" ? { ...each, verified: false } : { ...each, ...breakpoint }];
      });
    for (const [key, kept] of this.#set) this.#set.set(key, apply(kept));
    this.#functions = apply(this.#functions);
    this.#others = apply(this.#others).filter((each) => reason !== "removed" || each.id !== id);
    if (!isKnown && reason === "new") this.#others = [...this.#others, breakpoint];
  }
}

/** @throws The error, unless the adapter has refused the request. */
function unlessRefused(error: unknown): RequestError {
  if (error instanceof RequestError && error.code === "ERR_REQUEST_FAILED") return error;
  throw error;
}
