import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, realpath, rename, rm, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError, systemReason } from "../base/input-error.js";
import { kindOf } from "./manifest.js";

/** Number of characters that are collected before they are written. */
const batchLength = 256 * 1024;

/**
 * A file of any length, or standard output if the name is `-`. The file does not appear until it is
 * complete. Until then, the text is kept in a temporary file next to the target or, if the target
 * is a pipe, in the system's temporary folder.
 */
export class StreamedFile {
  readonly #name: string;
  readonly #target: string | undefined;
  readonly #folder: string;
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: string[] = [];
  #length = 0;

  private constructor(
    name: string,
    target: string | undefined,
    folder: string,
    path: string,
    file: FileHandle,
  ) {
    this.#name = name;
    this.#target = target;
    this.#folder = folder;
    this.#path = path;
    this.#file = file;
  }

  /** @throws InputError `ERR_OUTPUT` if the file cannot be written. */
  static async open(name: string): Promise<StreamedFile> {
    return attempt(name, async () => {
      const kind = name === "-" ? "other" : kindOf(name);
      // If the path is a symbolic link, replace the link's target.
      const target = kind === "link" ? await realpath(name) : name;
      const isPipe = target === "-" || kindOf(target) === "other";
      if (!isPipe && kindOf(target) === "folder") throw new Error("it is a folder");
      const folder = await mkdtemp(
        isPipe ? join(tmpdir(), "wirewright-") : join(dirname(target), `.${basename(target)}-`),
      );
      const path = join(folder, "output");
      return new StreamedFile(
        name,
        isPipe ? undefined : target,
        folder,
        path,
        await open(path, "w"),
      );
    });
  }

  /** Copies chunks to a temporary file so that they can be read a second time. */
  static async scratch(
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<{ readonly path: string; drop(): Promise<void> }> {
    const folder = await mkdtemp(join(tmpdir(), "wirewright-"));
    const drop = (): Promise<void> => rm(folder, { recursive: true, force: true });
    const path = join(folder, "input");
    try {
      await pipeline(chunks, createWriteStream(path));
    } catch (error) {
      await drop();
      throw error;
    }
    return { path, drop };
  }

  async write(text: string): Promise<void> {
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= batchLength) await this.#flush();
  }

  /**
   * Moves the complete file to its path.
   *
   * @throws InputError `ERR_OUTPUT` if that fails, in which case no file is left.
   */
  async finish(): Promise<void> {
    try {
      await this.#flush();
      await attempt(this.#name, async () => {
        await this.#file.close();
        if (this.#target !== undefined) await rename(this.#path, this.#target);
        else if (this.#name === "-")
          await pipeline(createReadStream(this.#path), process.stdout, { end: false });
        else await pipeline(createReadStream(this.#path), createWriteStream(this.#name));
      });
    } finally {
      await this.drop();
    }
  }

  /** Removes the output written so far. The target is left unchanged. */
  async drop(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #flush(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#length = 0;
    await attempt(this.#name, () => this.#file.writeFile(text));
  }
}

async function attempt<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The reader has closed standard output, as `head` does.
    if (code === "EPIPE") return undefined as Result;
    const file = name === "-" ? "<stdout>" : name;
    throw new InputError("ERR_OUTPUT", `Cannot write the output: ${systemReason(error)}`, { file });
  }
}
