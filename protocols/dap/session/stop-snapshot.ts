import type { Connection } from "../../../generated/dap/connection.js";
import type { WaitOptions } from "./session-options.js";
import type { Scope, StackFrame, Variable } from "../../../generated/dap/types.js";

/** How much a snapshot may contain. */
export interface SnapshotBudget extends WaitOptions {
  /** Stack frames. Default: 20. */
  readonly frames?: number;
  /** Frames whose variables are read, from the top. Default: 1. */
  readonly framesWithVariables?: number;
  /** Variables, those inside others among them. Default: 200. */
  readonly items?: number;
  /** Levels of variables: 1 is those of the scopes. Default: 2. */
  readonly depth?: number;
  /** Bytes of names, values and types in UTF-8. Default: 65,536. */
  readonly bytes?: number;
  /** Bytes of one value. Longer ones are shortened. Default: 1,024. */
  readonly valueBytes?: number;
  /** Reads scopes that are expensive to read, too. Default: false. */
  readonly expensive?: boolean;
}

/**
 * Why something is missing: the limit of the budget that was reached; it is expensive to read; or
 * the adapter refused to give it.
 */
export type CutReason = "frames" | "items" | "depth" | "bytes" | "expensive" | "failed";

/** What is missing. */
export interface Cut {
  readonly reason: CutReason;
  /** How many, if that is known. */
  readonly count?: number;
  /** What the adapter said. */
  readonly message?: string;
}

export interface VariableSnapshot {
  readonly name: string;
  readonly value: string;
  readonly type?: string;
  /** To ask the adapter for more, until the program resumes; 0 if there is nothing inside. */
  readonly variablesReference: number;
  /** The value has been shortened. */
  readonly isShortened?: true;
  variables?: VariableSnapshot[];
  cut?: Cut;
}

export interface ScopeSnapshot {
  readonly name: string;
  readonly variablesReference: number;
  readonly variables: VariableSnapshot[];
  cut?: Cut;
}

export interface FrameSnapshot {
  readonly id: number;
  readonly name: string;
  readonly path: string | undefined;
  readonly line: number;
  readonly column: number;
  readonly scopes: ScopeSnapshot[];
  cut?: Cut;
}

/** A stopped thread: plain data that can be sent as JSON. */
export interface StopSnapshot {
  readonly threadId: number;
  readonly frames: FrameSnapshot[];
  readonly cut?: Cut;
}

/** Reads the frames of a stopped thread, and variables level by level. */
export async function readSnapshot(
  connection: Connection<"client">,
  threadId: number,
  budget: SnapshotBudget = {},
): Promise<StopSnapshot> {
  const { frames: levels = 20 } = budget;
  const reader = new SnapshotReader(connection, budget);
  // One more than wanted tells whether there are more, also where there is no total.
  const { stackFrames, totalFrames } = await connection.request(
    "stackTrace",
    { threadId, startFrame: 0, levels: levels + 1 },
    limitsOf(budget),
  );
  const frames = await reader.readFrames(stackFrames.slice(0, levels));
  const missing = Math.max(stackFrames.length, totalFrames ?? 0) - levels;
  if (missing <= 0) return { threadId, frames };
  const count = totalFrames === undefined ? {} : { count: missing };
  return { threadId, frames, cut: { reason: "frames", ...count } };
}

/** Something that contains variables. */
interface Container {
  readonly variablesReference: number;
  readonly namedVariables?: number;
  readonly indexedVariables?: number;
}

interface Unread {
  readonly from: Container;
  readonly into: { variables?: VariableSnapshot[]; cut?: Cut };
}

/** Variables that are asked for at a time. */
const pageSize = 100;

class SnapshotReader {
  readonly #connection: Connection<"client">;
  readonly #budget: SnapshotBudget;
  #items: number;
  #bytes: number;

  constructor(connection: Connection<"client">, budget: SnapshotBudget) {
    this.#connection = connection;
    this.#budget = budget;
    this.#items = budget.items ?? 200;
    this.#bytes = budget.bytes ?? 65_536;
  }

  async readFrames(frames: readonly StackFrame[]): Promise<FrameSnapshot[]> {
    const { framesWithVariables = 1, depth = 2 } = this.#budget;
    const result: FrameSnapshot[] = [];
    let level: Unread[] = [];
    for (const [index, { id, name, source, line, column }] of frames.entries()) {
      const frame: FrameSnapshot = { id, name, path: source?.path, line, column, scopes: [] };
      result.push(frame);
      if (index < framesWithVariables) level.push(...(await this.#readScopes(frame)));
    }
    // Level by level, so that a large variable does not use up what its neighbours need.
    for (let reached = 0; level.length > 0; reached++) {
      const next: Unread[] = [];
      for (const each of level) {
        if (reached >= depth) each.into.cut = cutOf("depth", sizeOf(each.from));
        else next.push(...(await this.#readInto(each)));
      }
      level = next;
    }
    return result;
  }

  async #readScopes(frame: FrameSnapshot): Promise<Unread[]> {
    let scopes: readonly Scope[];
    try {
      const limits = limitsOf(this.#budget);
      ({ scopes } = await this.#connection.request("scopes", { frameId: frame.id }, limits));
    } catch (error) {
      frame.cut = failed(error);
      return [];
    }
    return scopes.flatMap((from) => {
      const { name, variablesReference, expensive } = from;
      const into: ScopeSnapshot = { name, variablesReference, variables: [] };
      frame.scopes.push(into);
      if (!expensive || this.#budget.expensive === true) return [{ from, into }];
      into.cut = cutOf("expensive", sizeOf(from));
      return [];
    });
  }

  /** Reads the variables of a container. Returns what is inside them. */
  async #readInto({ from, into }: Unread): Promise<Unread[]> {
    const variables: VariableSnapshot[] = (into.variables ??= []);
    const inside: Unread[] = [];
    const full = (): CutReason | undefined =>
      this.#items <= 0 ? "items" : this.#bytes <= 0 ? "bytes" : undefined;
    try {
      for await (const page of this.#pages(from)) {
        for (const [index, variable] of page.entries()) {
          const reason = full();
          if (reason !== undefined) {
            const size = sizeOf(from);
            const rest = size === undefined ? page.length - index : size - variables.length;
            into.cut = cutOf(reason, rest);
            return inside;
          }
          const own = this.#take(variable);
          variables.push(own);
          if (own.variablesReference > 0) inside.push({ from: variable, into: own });
        }
      }
    } catch (error) {
      into.cut = failed(error);
    }
    const size = sizeOf(from);
    const reason = full();
    if (into.cut === undefined && reason !== undefined && size !== undefined)
      if (size > variables.length) into.cut = cutOf(reason, size - variables.length);
    return inside;
  }

  /** The variables of a container, a page at a time where the adapter says how many there are. */
  async *#pages(from: Container): AsyncGenerator<readonly Variable[], void, undefined> {
    const { variablesReference, namedVariables = 0, indexedVariables = 0 } = from;
    const limits = limitsOf(this.#budget);
    const read = async (paging: object): Promise<readonly Variable[]> => {
      const parameters = { variablesReference, ...paging };
      return (await this.#connection.request("variables", parameters, limits)).variables;
    };
    if (this.#items <= 0 || this.#bytes <= 0) return;
    if (indexedVariables === 0 && namedVariables === 0) {
      yield await read({});
      return;
    }
    for (const [filter, total] of [
      ["named", namedVariables],
      ["indexed", indexedVariables],
    ] as const)
      for (let start = 0; start < total && this.#items > 0 && this.#bytes > 0;) {
        const count = Math.min(pageSize, total - start, this.#items);
        const page = await read({ filter, start, count });
        if (page.length === 0) break;
        yield page;
        // An adapter that does not page gives everything at once.
        start += page.length;
      }
  }

  #take({ name, value, type, variablesReference }: Variable): VariableSnapshot {
    const { valueBytes = 1_024 } = this.#budget;
    const shown = shorten(String(value), Math.min(valueBytes, Math.max(0, this.#bytes)));
    this.#items--;
    this.#bytes -= lengthOf(name) + lengthOf(shown) + lengthOf(type ?? "");
    return {
      name,
      value: shown,
      ...(type === undefined ? {} : { type }),
      variablesReference,
      ...(shown === value ? {} : { isShortened: true }),
    };
  }
}

/** How many variables a container has, if the adapter says so. */
function sizeOf({ namedVariables, indexedVariables }: Container): number | undefined {
  if (namedVariables === undefined && indexedVariables === undefined) return undefined;
  const size = (namedVariables ?? 0) + (indexedVariables ?? 0);
  return size === 0 ? undefined : size;
}

function cutOf(reason: CutReason, count: number | undefined): Cut {
  return count === undefined ? { reason } : { reason, count };
}

function failed(error: unknown): Cut {
  return { reason: "failed", message: error instanceof Error ? error.message : String(error) };
}

function limitsOf({ signal, timeoutMs }: WaitOptions): WaitOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

/** Bytes of a character in UTF-8. */
function bytesOf(character: string): number {
  const code = character.codePointAt(0)!;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const character of text) length += bytesOf(character);
  return length;
}

/** The start of a text that fits, never a part of a character. */
function shorten(text: string, maxBytes: number): string {
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += bytesOf(character);
    if (length > maxBytes) return text.slice(0, end);
    end += character.length;
  }
  return text;
}
