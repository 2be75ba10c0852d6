import type { StreamedFile } from "../../../generator/output/streamed-file.js";

/** JSON text that is written piece by piece. */
export class TextOutput {
  readonly #file: StreamedFile;
  #waiting: string[] = [];

  constructor(file: StreamedFile) {
    this.#file = file;
  }

  add(text: string): void {
    this.#waiting.push(text);
  }

  async flush(): Promise<void> {
    const text = this.#waiting.join("");
    this.#waiting = [];
    if (text !== "") await this.#file.write(text);
  }

  async finish(): Promise<void> {
    await this.flush();
    await this.#file.finish();
  }

  drop(): Promise<void> {
    return this.#file.drop();
  }
}
