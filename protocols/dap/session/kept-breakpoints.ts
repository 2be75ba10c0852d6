import type { Connection } from "../../../generated/dap/connection.js";
import type { SessionBreakpoints } from "./debug-session.js";
import { weightOf } from "./latest-items.js";
import { isObject, LatestEntries, option, RequestError } from "@wirewright/runtime";
import type {
  Breakpoint,
  BreakpointEvent,
  Source,
  FunctionBreakpoint,
  SourceBreakpoint,
} from "../../../generated/dap/types.js";
import { waitChecks, type WaitOptions } from "./wait-options.js";
import type { SessionOptions } from "./session-options.js";

/**
 * Maximum number of breakpoints set by the adapter on its own that are kept. At least the latest
 * half of that number is kept.
 */
const maxUnplanned = 8_192;
/** Maximum number of characters in a breakpoint received in an event. */
const maxWeight = 16_384;
/** Maximum number of breakpoints with the same id that one event updates. */
const maxSame = 8;

/** Keeps a session's breakpoints, as set by the adapter. */
export class KeptBreakpoints implements SessionBreakpoints {
  readonly #connection: Connection<"client">;
  readonly #plan: BreakpointPlan;
  readonly #set = new Map<string, Breakpoint[]>();
  #functions: Breakpoint[] = [];
  /**
   * Breakpoints that the adapter set on its own, by id. A breakpoint without an id is its own key.
   */
  readonly #unplanned = new LatestEntries<unknown, Breakpoint>(maxUnplanned);
  /** Positions of breakpoints by id, so that handling an event takes constant time. */
  #places: Map<number, BreakpointPlace[]> | undefined;

  constructor(connection: Connection<"client">, plan: BreakpointPlan) {
    this.#connection = connection;
    this.#plan = plan;
    // Make Node's `console.log` show plain data.
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(this, inspect, { value: () => this.toJSON() });
    connection.on("breakpoint", (body) => this.#update(body));
  }

  get all(): readonly Breakpoint[] {
    return [...[...this.#set.values()].flat(), ...this.#functions, ...this.#unplanned.values()];
  }

  of(source: string | Source): readonly Breakpoint[] {
    return [...(this.#set.get(keyOf(source)) ?? [])];
  }

  get functions(): readonly Breakpoint[] {
    return [...this.#functions];
  }

  toJSON(): { readonly [source: string]: readonly Breakpoint[] } {
    const { functions } = this;
    const unplanned = this.#unplanned.values();
    return {
      ...Object.fromEntries([...this.#set].map(([key, kept]) => [key, [...kept]])),
      ...(functions.length > 0 ? { "(functions)": functions } : {}),
      ...(unplanned.length > 0 ? { "(others)": unplanned } : {}),
    };
  }

  /** Sends the breakpoints in a source. Breakpoints that the adapter refuses are not verified. */
  async sendSource(key: string, options?: WaitOptions): Promise<readonly Breakpoint[]> {
    option.checkOptions("setBreakpoints", options, waitChecks());
    const planned = this.#plan.sources.get(key);
    if (planned === undefined) return [];
    const { source, breakpoints } = planned;
    const lines = breakpoints.map(({ line }) => line);
    // Current adapters read `breakpoints`. The older field `lines` is deprecated.
    const set = await this.#send("setBreakpoints", { source, breakpoints }, lines, options);
    if (breakpoints.length === 0) this.#set.delete(key);
    else this.#set.set(key, set);
    this.#places = undefined;
    return [...set];
  }

  async sendFunctions(options?: WaitOptions): Promise<readonly Breakpoint[]> {
    option.checkOptions("setFunctionBreakpoints", options, waitChecks());
    const breakpoints = this.#plan.functions;
    const none = breakpoints.map(() => undefined);
    this.#functions = await this.#send("setFunctionBreakpoints", { breakpoints }, none, options);
    this.#places = undefined;
    return this.functions;
  }

  get filters(): readonly string[] {
    const defaults = this.#offeredFilters.filter((filter) => filter["default"] === true);
    return this.#plan.filters ?? defaults.map(({ filter }) => String(filter));
  }

  async sendFilters(options?: WaitOptions): Promise<void> {
    option.checkOptions("setExceptionFilters", options, waitChecks());
    const { filters } = this;
    await this.#connection.requestCustom("setExceptionBreakpoints", { filters }, options);
  }

  /** Returns the configuration requests that the adapter supports. Those of a step are sent at once. */
  steps(options?: WaitOptions): (() => Promise<unknown>)[][] {
    const flags = this.#connection.capabilities ?? {};
    const sends: (() => Promise<unknown>)[] = [];
    for (const key of this.#plan.sources.keys()) sends.push(() => this.sendSource(key, options));
    if (flags.supportsFunctionBreakpoints === true) sends.push(() => this.sendFunctions(options));
    const sendFilters = (): Promise<unknown> => this.sendFilters(options).catch(unlessRefused);
    // Adapters without `configurationDone` start the program after the filters.
    if (flags.supportsConfigurationDoneRequest !== true) return [sends, [sendFilters]];
    if (this.#offeredFilters.length > 0) sends.push(sendFilters);
    return [sends];
  }

  get #offeredFilters(): readonly { readonly [field: string]: unknown }[] {
    return objectsOf(this.#connection.capabilities?.exceptionBreakpointFilters);
  }

  async #send(
    request: string,
    parameters: object,
    lines: readonly (number | undefined)[],
    options?: WaitOptions,
  ): Promise<Breakpoint[]> {
    let text = "The adapter returned no result for this breakpoint";
    let results: readonly unknown[] = [];
    try {
      const body = await this.#connection.requestCustom(request, parameters, options);
      const breakpoints = isObject(body) ? body["breakpoints"] : undefined;
      if (Array.isArray(breakpoints)) results = breakpoints;
    } catch (error) {
      text = unlessRefused(error).message;
    }
    return lines.map((line, index): Breakpoint => {
      const result = results[index];
      if (isObject(result)) return result as unknown as Breakpoint;
      const lost = { verified: false, message: text };
      return line === undefined ? lost : { ...lost, line };
    });
  }

  #update({ reason, breakpoint }: BreakpointEvent["body"]): void {
    if (!isObject(breakpoint)) throw new TypeError("The event contains no breakpoint");
    if (weightOf(breakpoint, maxWeight) >= maxWeight)
      throw new RangeError(`A breakpoint has more than ${maxWeight} characters`);
    const { id } = breakpoint;
    const places = id === undefined ? undefined : (this.#places ??= this.#findPlaces()).get(id);
    for (const { list, index } of places ?? []) {
      const kept = list[index]!;
      // Keep removed breakpoints in the array: a breakpoint is identified by its index.
      list[index] = reason === "removed" ? { ...kept, verified: false } : changed(kept, breakpoint);
    }
    const key = id ?? breakpoint;
    const unplanned = this.#unplanned.get(key);
    if (reason === "removed") this.#unplanned.delete(key);
    else if (unplanned !== undefined) this.#unplanned.set(key, changed(unplanned, breakpoint));
    else if (reason === "new" && places === undefined) this.#unplanned.set(key, breakpoint);
  }

  #findPlaces(): Map<number, BreakpointPlace[]> {
    const places = new Map<number, BreakpointPlace[]>();
    for (const list of [...this.#set.values(), this.#functions])
      for (const [index, { id }] of list.entries()) {
        if (id === undefined) continue;
        const placesOfId = places.get(id);
        if (placesOfId === undefined) places.set(id, [{ list, index }]);
        else if (placesOfId.length < maxSame) placesOfId.push({ list, index });
      }
    return places;
  }
}

/**
 * Updates a breakpoint from an event, up to the size limit. Fields that are missing from the event
 * keep their values.
 */
function changed(kept: Breakpoint, breakpoint: Breakpoint): Breakpoint {
  const merged = { ...kept, ...breakpoint };
  return weightOf(merged, 2 * maxWeight) < 2 * maxWeight ? merged : breakpoint;
}

interface BreakpointPlace {
  readonly list: Breakpoint[];
  readonly index: number;
}

function objectsOf(value: unknown): readonly { readonly [field: string]: unknown }[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Returns the error if the adapter refused the request. @throws Any other error. */
function unlessRefused(error: unknown): RequestError {
  if (error instanceof RequestError && error.code === "ERR_REQUEST_FAILED") return error;
  throw error;
}

/** The breakpoints to set in each session of a session tree. */
export interface BreakpointPlan {
  readonly sources: Map<string, PlannedSource>;
  functions: readonly FunctionBreakpoint[];
  /** The exception filters to set; undefined to use the adapter's defaults. */
  filters: readonly string[] | undefined;
}

interface PlannedSource {
  readonly source: Source;
  readonly breakpoints: readonly SourceBreakpoint[];
}

export function planBreakpoints({
  breakpoints = {},
  functionBreakpoints = [],
  exceptionFilters,
}: SessionOptions): BreakpointPlan {
  const sources = Object.entries(breakpoints).map(([path, inSource]): [string, PlannedSource] => [
    path,
    { source: { path }, breakpoints: inSource.map(sourceBreakpoint) },
  ]);
  const functions = functionBreakpoints.map(functionBreakpoint);
  return { sources: new Map(sources), functions, filters: exceptionFilters };
}

export function sourceBreakpoint(breakpoint: number | SourceBreakpoint): SourceBreakpoint {
  return typeof breakpoint === "number" ? { line: breakpoint } : breakpoint;
}

export function functionBreakpoint(breakpoint: string | FunctionBreakpoint): FunctionBreakpoint {
  return typeof breakpoint === "string" ? { name: breakpoint } : breakpoint;
}

/** Returns a source's key in breakpoint maps. */
export function keyOf(source: string | Source): string {
  if (typeof source === "string") return source;
  return source.path ?? `${source.name ?? ""}#${source.sourceReference ?? 0}`;
}
