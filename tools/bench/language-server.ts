/** The TypeScript language server that editors run, and the processor time of its responses. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { decodeContentLength } from "../../runtime/frames/content-length-decoder.js";

interface Answer {
  readonly type: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

export class LanguageServer {
  readonly #child: ChildProcess;
  readonly #waiting = new Set<(answer: Answer) => void>();
  #seq = 0;

  /** @param path Path of `tsserver.js`. */
  constructor(path: string) {
    const args = [path, "--disableAutomaticTypingAcquisition", "--suppressDiagnosticEvents"];
    this.#child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
    const decoder = decodeContentLength({
      onMessage: (message) => {
        for (const each of [...this.#waiting]) each(message as Answer);
      },
    });
    this.#child.stdout!.on("data", (chunk: Uint8Array) => decoder.push(chunk));
  }

  /** Sends a request that has no response. */
  notify(command: string, parameters: object): void {
    this.#send(command, parameters);
  }

  /** Sends a request and resolves to the body of its response. */
  async request(command: string, parameters: object): Promise<unknown> {
    const seq = this.#send(command, parameters);
    const answer = await this.#until(
      (each) => each.type === "response" && each.request_seq === seq,
    );
    if (answer.success !== true) throw new Error(`${command}: ${answer.message ?? "failed"}`);
    return answer.body;
  }

  /** Processor time of all threads together, in nanoseconds. */
  get time(): number {
    const tasks = `/proc/${this.#child.pid!}/task`;
    return readdirSync(tasks).reduce((sum, task) => {
      const [time] = readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
      return sum + Number(time);
    }, 0);
  }

  async end(): Promise<void> {
    this.#child.stdin!.end();
    await once(this.#child, "exit");
  }

  #send(command: string, parameters: object): number {
    const seq = ++this.#seq;
    const message = { seq, type: "request", command, arguments: parameters };
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
    return seq;
  }

  #until(isWanted: (answer: Answer) => boolean): Promise<Answer> {
    return new Promise((resolve) => {
      const listen = (answer: Answer): void => {
        if (!isWanted(answer)) return;
        this.#waiting.delete(listen);
        resolve(answer);
      };
      this.#waiting.add(listen);
    });
  }
}
