import type { CommandAnswers } from "./lane-table.js";
import { isText, type PendingCommand } from "./pending-command.js";

/**
 * A lane's pending commands, in order.
 *
 * Commands are counted by the kind of answer that they expect, so that an unexpected message does
 * not require a scan of the whole queue.
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

  /** Whether a command with a text answer is pending. */
  get hasText(): boolean {
    for (const answers of this.#counts.keys()) if (isText(answers)) return true;
    return false;
  }

  push(command: PendingCommand): void {
    this.#commands.push(command);
    this.#count(command, 1);
  }

  /** Returns the index of the first command with matching answers, or -1. */
  indexOf(fits: (answers: CommandAnswers) => boolean): number {
    const fitting = new Set<CommandAnswers>();
    for (const answers of this.#counts.keys()) if (fits(answers)) fitting.add(answers);
    return fitting.size === 0
      ? -1
      : this.#commands.findIndex(({ answers }) => fitting.has(answers));
  }

  /** Returns the first command with a matching line. */
  find(isLine: (line: string) => boolean): PendingCommand | undefined {
    return this.#commands.find(({ line }) => isLine(line));
  }

  shift(): PendingCommand | undefined {
    const command = this.#commands.shift();
    if (command !== undefined) this.#count(command, -1);
    return command;
  }

  /** Removes a command. Returns false if it is not pending. */
  remove(command: PendingCommand): boolean {
    const index = this.#commands.indexOf(command);
    if (index < 0) return false;
    this.#commands.splice(index, 1);
    this.#count(command, -1);
    return true;
  }

  /**
   * Moves a command to the head. Removes and returns the commands before it, except those for which
   * `isKept` returns true, which stay in the queue after it.
   */
  advance(index: number, isKept: (command: PendingCommand) => boolean): readonly PendingCommand[] {
    if (index === 0) return [];
    const passed = this.#commands.slice(0, index);
    const removed = passed.filter((command) => !isKept(command));
    const [head, ...following] = this.#commands.slice(index);
    this.#commands = [head!, ...passed.filter(isKept), ...following];
    for (const command of removed) this.#count(command, -1);
    return removed;
  }

  #count({ answers }: PendingCommand, change: number): void {
    const count = (this.#counts.get(answers) ?? 0) + change;
    if (count === 0) this.#counts.delete(answers);
    else this.#counts.set(answers, count);
  }
}
