import type { CommandAnswers } from "./lane-table.js";
import { isText, type PendingCommand } from "./pending-command.js";

/**
 * The commands of a lane that wait for their answers, in order.
 *
 * It counts those that are answered alike: a peer that sends what answers none of them must not make it look at all of
 * them each time.
 */
export class LaneQueue {
  #commands: PendingCommand[] = [];
  readonly #counts = new Map<CommandAnswers, number>();

  get length(): number {
    return this.#commands.length;
  }

  get head(): PendingCommand | undefined {
    return this.#commands[0];
  }

  at(index: number): PendingCommand | undefined {
    return this.#commands[index];
  }

  /** Whether a command waits that is answered by text of any length. */
  get hasText(): boolean {
    for (const answers of this.#counts.keys()) if (isText(answers)) return true;
    return false;
  }

  push(command: PendingCommand): void {
    this.#commands.push(command);
    this.#count(command, 1);
  }

  /** Place of the first command whose answers are such, or -1. */
  indexOf(fits: (answers: CommandAnswers) => boolean): number {
    const fitting = new Set<CommandAnswers>();
    for (const answers of this.#counts.keys()) if (fits(answers)) fitting.add(answers);
    return fitting.size === 0
      ? -1
      : this.#commands.findIndex(({ answers }) => fitting.has(answers));
  }

  /** The first command that was written as a line. */
  find(isLine: (line: string) => boolean): PendingCommand | undefined {
    return this.#commands.find(({ line }) => isLine(line));
  }

  shift(): PendingCommand | undefined {
    const command = this.#commands.shift();
    if (command !== undefined) this.#count(command, -1);
    return command;
  }

  /** Takes a command out; false if it does not wait any more. */
  remove(command: PendingCommand): boolean {
    const index = this.#commands.indexOf(command);
    if (index < 0) return false;
    this.#commands.splice(index, 1);
    this.#count(command, -1);
    return true;
  }

  /** The command at a place becomes the head: takes out those in front of it, but for some that come behind it. */
  advance(index: number, isKept: (command: PendingCommand) => boolean): readonly PendingCommand[] {
    if (index === 0) return [];
    const passed = this.#commands.slice(0, index);
    const removed = passed.filter((command) => !isKept(command));
    const [head, ...behind] = this.#commands.slice(index);
    this.#commands = [head!, ...passed.filter(isKept), ...behind];
    for (const command of removed) this.#count(command, -1);
    return removed;
  }

  #count({ answers }: PendingCommand, change: number): void {
    const count = (this.#counts.get(answers) ?? 0) + change;
    if (count === 0) this.#counts.delete(answers);
    else this.#counts.set(answers, count);
  }
}
