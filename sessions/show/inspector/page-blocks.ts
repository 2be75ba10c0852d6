import { deflateRawSync } from "node:zlib";
import type { RowBlock } from "./page-data.js";
import type { CollectedBlock } from "./row-collector.js";

/**
 * Maximum number of rows, and of bytes of compressed messages, on a page. Half of each is reserved
 * for the beginning of a recording and half for its end.
 */
export interface PageLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** The limits for a page. A browser opens a page of this size within a second. */
const pageLimits: PageLimits = { rows: 200_000, bytes: 64 * 1024 * 1024 };

interface KeptBlock extends RowBlock {
  /** The block's compressed messages. */
  readonly data: Buffer;
}

/**
 * The rows of a page and their compressed messages. If a recording is too long, the first half of
 * the page holds its beginning and the second half its end.
 */
export class PageBlocks {
  readonly #half: PageLimits;
  readonly #begin: KeptBlock[] = [];
  readonly #end: KeptBlock[] = [];
  readonly #used = { rows: 0, bytes: 0 };
  #isFull = false;
  #leftOut = 0;

  constructor({ rows, bytes }: PageLimits = pageLimits) {
    this.#half = { rows: rows / 2, bytes: bytes / 2 };
  }

  add({ rows, names, messages }: CollectedBlock): void {
    const data = deflateRawSync(Buffer.from(messages.join("\n")));
    const block = { rows, names, data };
    this.#use(block, 1);
    if (!this.#isFull) {
      this.#begin.push(block);
      if (!this.#isOver()) return;
      this.#isFull = true;
      this.#used.rows = this.#used.bytes = 0;
      return;
    }
    this.#end.push(block);
    while (this.#isOver() && this.#end.length > 1) this.#drop();
  }

  /** Number of omitted rows. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get list(): readonly KeptBlock[] {
    return [...this.#begin, ...this.#end];
  }

  #drop(): void {
    const block = this.#end.shift()!;
    this.#use(block, -1);
    this.#leftOut += block.rows.kind.length;
    // Keep the names from the dropped block, because rows refer to names by their index across all
    // blocks.
    const [next] = this.#end;
    this.#end[0] = { ...next!, names: [...block.names, ...next!.names] };
  }

  #use({ rows, data }: KeptBlock, sign: 1 | -1): void {
    this.#used.rows += sign * rows.kind.length;
    this.#used.bytes += sign * data.length;
  }

  #isOver(): boolean {
    return this.#used.rows >= this.#half.rows || this.#used.bytes >= this.#half.bytes;
  }
}
