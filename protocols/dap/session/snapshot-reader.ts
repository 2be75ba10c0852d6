import type { Connection } from "../../../generated/dap/connection.js";
import { RemainingBudget } from "./remaining-budget.js";
import { isObject, option, type AnyFields } from "@wirewright/runtime";
import {
  budgetChecks,
  type FrameSnapshot,
  type ScopeSnapshot,
  type SnapshotOptions,
  type SnapshotPart,
  type StopSnapshot,
  type VariableBudget,
  type Cut,
  type CutReason,
  type VariableSnapshot,
} from "./stop-snapshot.js";
import { sharedLimits, type WaitOptions } from "./wait-options.js";
import { SessionError } from "./session-error.js";

/** Maximum number of scopes to read per frame. */
const maxScopes = 100;

/** Reads the stack frames of a stopped thread, and their variables level by level. */
export async function readSnapshot(
  connection: Connection<"client">,
  threadId: number,
  options: SnapshotOptions,
  limits: WaitOptions,
): Promise<StopSnapshot> {
  const { frames: levels = 20, framesWithVariables = 1 } = options;
  const budget = new RemainingBudget(options, limits);
  const body: unknown = await connection.requestCustom(
    "stackTrace",
    // Request one extra frame: it shows whether there are more, even if the adapter does not send a
    // total.
    { threadId, startFrame: 0, levels: levels + 1 },
    budget.limits,
  );
  const stackFrames = listIn(body, "stackTrace", "stackFrames");
  const reader = new SnapshotReader(connection);
  const frames = stackFrames
    .slice(0, levels)
    .map((frame) => frameOf(isObject(frame) ? frame : {}, budget));
  for (const frame of frames) reader.add(frame);
  await reader.readFrames(frames.slice(0, framesWithVariables), budget);
  const total: unknown = (body as AnyFields)["totalFrames"];
  const missing = Math.max(stackFrames.length, typeof total === "number" ? total : 0) - levels;
  const count = typeof total === "number" ? { count: missing } : {};
  const snapshot = {
    threadId,
    frames,
    ...(missing > 0 ? { cut: { reason: "frames" as const, ...count } } : {}),
  };
  // Make `expand` non-enumerable, so that snapshots are compared and printed as plain data.
  return Object.defineProperty(snapshot as StopSnapshot, "expand", {
    value: <Part extends SnapshotPart>(part: Part, more?: VariableBudget) =>
      reader.expand(part, more),
  });
}

class SnapshotReader {
  readonly #connection: Connection<"client">;
  readonly #frames = new Set<SnapshotPart>();
  readonly #readers = new Map<SnapshotPart, ContainerReader>();
  /** Settles once the current part has been read. Parts are read one at a time. */
  #order: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection<"client">) {
    this.#connection = connection;
  }

  /** Adds a frame, whose scopes have not been read yet. */
  add(frame: FrameSnapshot): void {
    this.#frames.add(frame);
    frame.cut = { reason: "frames" };
  }

  async expand<Part extends SnapshotPart>(part: Part, options: VariableBudget = {}): Promise<Part> {
    option.checkOptions("expand", options, budgetChecks());
    const reader = this.#readers.get(part);
    if (reader === undefined && !this.#frames.has(part))
      throw new TypeError(
        "expand: this object is not part of the snapshot. Copies cannot be expanded",
      );
    const read = this.#order.then(async () => {
      if (part.cut === undefined) return;
      // The timeout for each part starts once the previous part has been read.
      const limits = sharedLimits(options, this.#connection.timeoutMs);
      const budget = new RemainingBudget(options, limits);
      if (reader === undefined) await this.readFrames([part as FrameSnapshot], budget);
      else {
        reader.retry();
        await this.#readLevels([reader], budget);
      }
    });
    this.#order = read.catch(() => undefined);
    await read;
    return part;
  }

  async readFrames(frames: readonly FrameSnapshot[], budget: RemainingBudget): Promise<void> {
    const level: ContainerReader[] = [];
    for (const frame of frames) level.push(...(await this.#readScopes(frame, budget)));
    await this.#readLevels(level, budget);
  }

  /** Reads containers level by level, so that a large variable does not starve its neighbours. */
  async #readLevels(first: readonly ContainerReader[], budget: RemainingBudget): Promise<void> {
    let level = first;
    for (let reached = 0; level.length > 0; reached++) {
      const readable = level.filter(({ isLazy }) => !isLazy || budget.isExpensive);
      const next = reached < budget.depth ? await this.#share(readable, budget) : [];
      const reason = reached < budget.depth ? budget.spent : "depth";
      for (const reader of level) {
        reader.cut(readable.includes(reader) ? (reason ?? "items") : "expensive");
        reader.release();
      }
      for (const reader of next) this.#readers.set(reader.part as SnapshotPart, reader);
      level = next;
    }
  }

  /**
   * Reads the containers on one level. They share the budget: whatever part of its share a
   * container does not need is available to the others.
   */
  async #share(
    level: readonly ContainerReader[],
    budget: RemainingBudget,
  ): Promise<readonly ContainerReader[]> {
    const inside = new Map<ContainerReader, ContainerReader[]>();
    let open = level.filter(({ isDone }) => !isDone);
    while (open.length > 0 && budget.spent === undefined) {
      for (const [index, reader] of open.entries()) {
        if (budget.spent !== undefined) break;
        const shareOf = (left: number): number =>
          Math.max(1, Math.floor(left / (open.length - index)));
        const readers = await reader.read(budget, shareOf(budget.items), shareOf(budget.bytes));
        inside.set(reader, [...(inside.get(reader) ?? []), ...readers]);
      }
      open = open.filter(({ isDone }) => !isDone);
    }
    return level.flatMap((reader) => inside.get(reader) ?? []);
  }

  async #readScopes(
    frame: FrameSnapshot,
    budget: RemainingBudget,
  ): Promise<readonly ContainerReader[]> {
    let scopes: unknown[];
    if (budget.spent === "time") {
      frame.cut = { reason: "time" };
      return [];
    }
    try {
      const parameters = { frameId: frame.id };
      const body = await this.#connection.requestCustom("scopes", parameters, budget.limits);
      scopes = listIn(body, "scopes", "scopes");
    } catch (error) {
      frame.cut = budget.failureOf(error) ?? { reason: "time" };
      return [];
    }
    const taken = frame.scopes.length;
    const missing = scopes.length - taken - maxScopes;
    if (missing > 0) frame.cut = { reason: "items", count: missing };
    else delete frame.cut;
    return scopes.slice(taken, taken + maxScopes).map((received) => {
      const from = isObject(received) ? received : {};
      const reference = from["variablesReference"];
      const scope: ScopeSnapshot = {
        name: budget.text(from["name"]),
        variablesReference: typeof reference === "number" ? reference : 0,
        variables: [],
      };
      frame.scopes.push(scope);
      const isLazy = from["expensive"] === true;
      const reader = new ContainerReader(this.#connection, from, scope, isLazy);
      this.#readers.set(scope, reader);
      return reader;
    });
  }
}

function frameOf(frame: AnyFields, budget: RemainingBudget): FrameSnapshot {
  const { id, line, column, source } = frame;
  const path = isObject(source) ? source["path"] : undefined;
  return {
    id: typeof id === "number" ? id : 0,
    name: budget.text(frame["name"]),
    path: typeof path === "string" ? path : undefined,
    line: typeof line === "number" ? line : 0,
    column: typeof column === "number" ? column : 0,
    scopes: [],
  };
}

/** Number of variables per request. */
const pageSize = 100;

/** A scope or variable in a snapshot. */
interface Part {
  variables?: VariableSnapshot[];
  cut?: Cut;
}

/** A range of a container's variables, which is read page by page. */
interface Run {
  readonly filter: "named" | "indexed";
  readonly total: number;
  /** Number of variables read so far. */
  start: number;
}

/** Reads a container's variables step by step, within the budget. */
class ContainerReader {
  readonly part: Part;
  /** Whether the container is to be read only on demand. */
  isLazy: boolean;
  readonly #connection: Connection<"client">;
  readonly #reference: number;
  /** The ranges to read; empty if the adapter does not support paging. */
  #runs: readonly Run[];
  /** Number of variables added to the part so far. */
  #taken = 0;
  /**
   * The variables in the latest response, and the index of the first one that is not in the part
   * yet.
   */
  #arrived: readonly unknown[] = [];
  #nextArrived = 0;
  /** Total number of variables. Set once a single response has contained all of them. */
  #total: number | undefined;
  /** Whether all variables have arrived. */
  #isWhole = false;
  #failure: Cut | undefined;

  constructor(connection: Connection<"client">, from: AnyFields, part: Part, isLazy: boolean) {
    this.#connection = connection;
    this.#reference = referenceOf(from);
    this.part = part;
    this.isLazy = isLazy;
    const runs = [
      { filter: "named" as const, total: countOf(from["namedVariables"]), start: 0 },
      { filter: "indexed" as const, total: countOf(from["indexedVariables"]), start: 0 },
    ];
    this.#runs = runs.filter(({ total }) => total > 0);
    this.#isWhole = this.#reference === 0;
  }

  get isDone(): boolean {
    return this.#failure !== undefined || (this.#isWhole && this.#waiting === 0);
  }

  /**
   * Reads until all variables are read or the container's share of the budget is used up. Returns
   * readers for the variables that contain other variables.
   *
   * @param items Maximum number of variables to read.
   * @param bytes Number of bytes after which reading stops.
   */
  async read(
    budget: RemainingBudget,
    items: number,
    bytes: number,
  ): Promise<readonly ContainerReader[]> {
    const variables = (this.part.variables ??= []);
    const inside: ContainerReader[] = [];
    const [lastItems, lastBytes] = [budget.items - items, budget.bytes - bytes];
    try {
      while (!this.isDone && budget.items > lastItems && budget.bytes > lastBytes) {
        if (this.#waiting === 0) await this.#readPage(budget, budget.items - lastItems);
        if (this.#waiting === 0) continue;
        const variable = this.#arrived[this.#nextArrived++];
        if (!isObject(variable)) throw unusable("variables", "an item that is not a variable");
        const snapshot = budget.take(variable, referenceOf(variable));
        this.#taken++;
        variables.push(snapshot);
        if (snapshot.variablesReference === 0) continue;
        const hint = variable["presentationHint"];
        const isLazy = isObject(hint) && hint["lazy"] === true;
        inside.push(new ContainerReader(this.#connection, variable, snapshot, isLazy));
      }
    } catch (error) {
      this.#failure = budget.failureOf(error);
    }
    return inside;
  }

  /**
   * Marks the part as missing variables, unless it is complete.
   *
   * @param reason The limit that was reached.
   */
  cut(reason: CutReason): void {
    if (this.#failure !== undefined) this.part.cut = this.#failure;
    else if (this.isDone) delete this.part.cut;
    else {
      const count = this.#missing;
      this.part.cut = count === undefined ? { reason } : { reason, count };
    }
  }

  /**
   * Forgets a failure, and allows reading even a container that is normally read only on demand.
   */
  retry(): void {
    this.#failure = undefined;
    this.isLazy = false;
  }

  /** Drops variables that have arrived but did not fit. They can be requested again. */
  release(): void {
    if (this.#waiting === 0) return;
    this.#keep([]);
    this.#isWhole = false;
    let rest = this.#taken;
    for (const run of this.#runs) {
      run.start = Math.min(rest, run.total);
      rest -= run.start;
    }
  }

  /** Number of variables that have arrived but are not in the part yet. */
  get #waiting(): number {
    return this.#arrived.length - this.#nextArrived;
  }

  /** Number of variables missing from the part; undefined if unknown. */
  get #missing(): number | undefined {
    if (this.#isWhole) return this.#waiting;
    if (this.#runs.length === 0)
      return this.#total === undefined ? undefined : Math.max(0, this.#total - this.#taken);
    return this.#runs.reduce((sum, { total, start }) => sum + total - start, this.#waiting);
  }

  #keep(variables: readonly unknown[]): void {
    this.#arrived = variables;
    this.#nextArrived = 0;
  }

  async #readPage(budget: RemainingBudget, maxCount: number): Promise<void> {
    const run = this.#runs.find(({ start, total }) => start < total);
    if (run === undefined) {
      // The adapter does not support paging, so request all variables in one response.
      this.#keepAll(await this.#request(budget, {}));
      return;
    }
    const { filter, total, start } = run;
    const count = Math.min(pageSize, total - start, maxCount);
    const page = await this.#request(budget, { filter, start, count });
    const announced = this.#runs.reduce((sum, { total }) => sum + total, 0);
    if (page.length > count && page.length >= announced && this.#taken === 0) {
      // The adapter ignores the requested range, so stop using pages.
      this.#runs = [];
      this.#keepAll(page);
      return;
    }
    if (page.length === 0)
      throw unusable("variables", `${start} of the ${total} ${filter} variables announced`);
    // An adapter may ignore `start` or `count`.
    const inRange = page.length > total - start ? page.slice(start, total) : page;
    this.#keep(inRange);
    run.start = start + inRange.length;
    this.#isWhole = this.#runs.every(({ start, total }) => start >= total);
  }

  #keepAll(all: readonly unknown[]): void {
    this.#total = all.length;
    this.#keep(all.slice(this.#taken));
    this.#isWhole = true;
  }

  async #request(budget: RemainingBudget, paging: object): Promise<unknown[]> {
    const parameters = { variablesReference: this.#reference, ...paging };
    const body = await this.#connection.requestCustom("variables", parameters, budget.limits);
    return listIn(body, "variables", "variables");
  }
}

/** Returns the array in a response body. @throws SessionError if it is missing. */
function listIn(body: unknown, request: string, field: string): unknown[] {
  const list: unknown = isObject(body) ? body[field] : undefined;
  if (Array.isArray(list)) return list;
  throw unusable(request, `no array of ${field}`);
}

function unusable(request: string, received: string): SessionError {
  const text = `Cannot use the response to "${request}": it has ${received}`;
  return new SessionError("ERR_SESSION_RESPONSE", text);
}

function referenceOf({ variablesReference }: AnyFields): number {
  return Number.isSafeInteger(variablesReference) ? Math.max(0, variablesReference as number) : 0;
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0;
}
