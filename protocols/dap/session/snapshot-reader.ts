import type { Connection } from "../../../generated/dap/connection.js";
import { ContainerReader, listIn } from "./container-reader.js";
import { RemainingBudget } from "./remaining-budget.js";
import { isObject, option, type AnyFields } from "../../../generated/dap/runtime/index.js";
import {
  budgetChecks,
  type FrameSnapshot,
  type ScopeSnapshot,
  type SnapshotOptions,
  type SnapshotPart,
  type StopSnapshot,
  type VariableBudget,
} from "./stop-snapshot.js";
import { sharedLimits, type WaitOptions } from "./wait-options.js";

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
  const given = listIn(body, "stackTrace", "stackFrames");
  const reader = new SnapshotReader(connection);
  const frames = given.slice(0, levels).map((each) => frameOf(isObject(each) ? each : {}, budget));
  for (const frame of frames) reader.add(frame);
  await reader.readFrames(frames.slice(0, framesWithVariables), budget);
  const total: unknown = (body as AnyFields)["totalFrames"];
  const missing = Math.max(given.length, typeof total === "number" ? total : 0) - levels;
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
      for (const each of level) {
        each.cut(readable.includes(each) ? (reason ?? "items") : "expensive");
        each.release();
      }
      for (const each of next) this.#readers.set(each.part as SnapshotPart, each);
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
      for (const [index, each] of open.entries()) {
        if (budget.spent !== undefined) break;
        const part = (whole: number): number =>
          Math.max(1, Math.floor(whole / (open.length - index)));
        const found = await each.read(budget, part(budget.items), part(budget.bytes));
        inside.set(each, [...(inside.get(each) ?? []), ...found]);
      }
      open = open.filter(({ isDone }) => !isDone);
    }
    return level.flatMap((each) => inside.get(each) ?? []);
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
    const shown = frame.scopes.length;
    const missing = scopes.length - shown - maxScopes;
    if (missing > 0) frame.cut = { reason: "items", count: missing };
    else delete frame.cut;
    return scopes.slice(shown, shown + maxScopes).map((each) => {
      const from = isObject(each) ? each : {};
      const reference = from["variablesReference"];
      const into: ScopeSnapshot = {
        name: budget.text(from["name"]),
        variablesReference: typeof reference === "number" ? reference : 0,
        variables: [],
      };
      frame.scopes.push(into);
      const isLazy = from["expensive"] === true;
      const reader = new ContainerReader(this.#connection, from, into, isLazy);
      this.#readers.set(into, reader);
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
