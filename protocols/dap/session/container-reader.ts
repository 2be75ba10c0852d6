import type { Connection } from "../../../generated/dap/connection.js";
import { isObject, type AnyFields } from "../../../generated/dap/runtime/index.js";
import { SessionError } from "./session-error.js";
import type { RemainingBudget } from "./remaining-budget.js";
import type { Cut, CutReason, VariableSnapshot } from "./stop-snapshot.js";

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
export class ContainerReader {
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
  #at = 0;
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
        const variable = this.#arrived[this.#at++];
        if (!isObject(variable)) throw unusable("variables", "an item that is not a variable");
        const own = budget.take(variable, referenceOf(variable));
        this.#taken++;
        variables.push(own);
        if (own.variablesReference === 0) continue;
        const hint = variable["presentationHint"];
        const isLazy = isObject(hint) && hint["lazy"] === true;
        inside.push(new ContainerReader(this.#connection, variable, own, isLazy));
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
    return this.#arrived.length - this.#at;
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
    this.#at = 0;
  }

  async #readPage(budget: RemainingBudget, most: number): Promise<void> {
    const run = this.#runs.find(({ start, total }) => start < total);
    if (run === undefined) {
      // The adapter does not support paging, so request all variables in one response.
      this.#keepAll(await this.#request(budget, {}));
      return;
    }
    const { filter, total, start } = run;
    const count = Math.min(pageSize, total - start, most);
    const page = await this.#request(budget, { filter, start, count });
    const announced = this.#runs.reduce((sum, each) => sum + each.total, 0);
    if (page.length > count && page.length >= announced && this.#taken === 0) {
      // The adapter ignores the requested range, so stop using pages.
      this.#runs = [];
      this.#keepAll(page);
      return;
    }
    if (page.length === 0)
      throw unusable("variables", `${start} of the ${total} ${filter} variables announced`);
    // An adapter may ignore `start` or `count`.
    const own = page.length > total - start ? page.slice(start, total) : page;
    this.#keep(own);
    run.start = start + own.length;
    this.#isWhole = this.#runs.every((each) => each.start >= each.total);
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
export function listIn(body: unknown, request: string, field: string): unknown[] {
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
