import type { PageData } from "../page-data.js";
import type { Row, SessionStore } from "./session-store.js";

/** Maximum number of inflated blocks to keep. A block is about a megabyte in size. */
const keptBlocks = 12;

/** Reads the messages of a page, as lines of JSON. */
export interface MessageSource {
  /** Reads the messages of a block, in the order of its rows. */
  read(block: number): Promise<readonly string[]>;
}

/** Milliseconds after which reading pauses to let the page redraw. */
const slice = 12;

/** A block's rows and messages, along with the share of the blocks read so far, from 0 to 1. */
interface ReadBlock {
  readonly rows: readonly Row[];
  readonly lines: readonly string[];
  readonly done: number;
}

/** Reads all messages block by block, until `signal` is aborted. Pauses to keep the page responsive. */
export async function* readBlocks(
  { blocks }: SessionStore,
  source: MessageSource,
  signal: AbortSignal,
): AsyncGenerator<ReadBlock> {
  let began = performance.now();
  for (let block = 0; block < blocks.length; block++) {
    const lines = await source.read(block);
    if (signal.aborted) return;
    yield { rows: blocks[block]!, lines, done: (block + 1) / blocks.length };
    if (performance.now() - began < slice) continue;
    await new Promise((resolve) => setTimeout(resolve));
    began = performance.now();
  }
}

/** Returns a row's message as JSON, or undefined if the row is not on the page. */
export async function messageOf(
  { blocks }: SessionStore,
  source: MessageSource,
  { number }: Row,
): Promise<string | undefined> {
  const block = blocks.findIndex((rows) => number <= rows.at(-1)!.number);
  return block < 0 ? undefined : (await source.read(block))[number - blocks[block]![0]!.number];
}

/** Reads the page's data. */
export async function readPageData(page: Document): Promise<PageData> {
  const text = page.getElementById("index")?.textContent ?? "";
  return JSON.parse(await inflate(text)) as PageData;
}

/** The messages stored in the elements of a page. A block is inflated when it is needed. */
export class PageMessages implements MessageSource {
  /**
   * The elements that hold the messages. This is a live collection, which grows as the browser
   * reads the page.
   */
  readonly #elements: HTMLCollectionOf<Element>;
  readonly #isRead: Promise<void>;
  /** Inflated blocks, least recently used first. */
  readonly #inflated = new Map<number, Promise<readonly string[]>>();

  /** @param name The elements' class. */
  constructor(page: Document, name = "block") {
    this.#elements = page.getElementsByClassName(name);
    this.#isRead = new Promise((resolve) => {
      if (page.readyState === "loading")
        page.addEventListener("DOMContentLoaded", () => resolve(), { once: true });
      else resolve();
    });
  }

  read(block: number): Promise<readonly string[]> {
    const lines = this.#inflated.get(block) ?? this.#inflate(block);
    this.#inflated.delete(block);
    this.#inflated.set(block, lines);
    if (this.#inflated.size > keptBlocks)
      this.#inflated.delete(this.#inflated.keys().next().value!);
    return lines;
  }

  async #inflate(block: number): Promise<readonly string[]> {
    // An element is complete once another follows it. For the last element, wait until the browser
    // has read the whole page.
    if (block + 1 >= this.#elements.length) await this.#isRead;
    const text = await inflate(this.#elements[block]?.textContent ?? "");
    return text.split("\n");
  }
}

/** Decodes text that was compressed with raw deflate and encoded as Base64. */
async function inflate(base64: string): Promise<string> {
  const stream = new Blob([bytesOf(base64)])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

type Base64Reader = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as Base64Reader).fromBase64;
  if (native !== undefined) return native.call(Uint8Array, base64);
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
