import { basename } from "node:path";
import { readFileSync } from "node:fs";
import type { ScriptedAdapter } from "@wirewright/dap/testing";
import { runs, type Moment } from "./programs.js";

export type Message = { readonly [field: string]: any };

/** State shared by all of an adapter's sessions. */
export interface SharedState {
  isAlive: boolean;
  sessions: number;
  /** The breakpoints of the first session. */
  breakpoints: readonly Message[];
}

/** Runs a program made up of moments, with breakpoints, stops and an end. */
export class ProgramRun {
  name = "loop";
  lines: readonly string[] = [];
  source: Message = {};
  moments: readonly Moment[] = [];
  at = -1;
  /** The number to subtract from lines: 1 if the client counts from 0. */
  shift = 0;
  isRunning = false;
  isRaised = false;
  isOver = false;
  breakpoints: Message[] = [];
  functions: readonly Message[] = [];
  instructions: readonly number[] = [];
  filters: readonly string[] = [];
  watched: { readonly name: string; readonly id: number } | undefined;
  readonly adapter: ScriptedAdapter;
  readonly shared: SharedState;
  readonly has: (mistake: string) => boolean;

  constructor(adapter: ScriptedAdapter, shared: SharedState, has: (mistake: string) => boolean) {
    this.adapter = adapter;
    this.shared = shared;
    this.has = has;
  }

  /** @returns Whether the program exists. */
  load(path: string, isUri: boolean, isChild = false): boolean {
    this.name = isChild ? "grandchild" : basename(path, ".steps");
    if (runs[this.name] === undefined) return false;
    this.lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const checksums = [{ algorithm: "MD5", checksum: "0123456789abcdef" }];
    this.source = { name: basename(path), path: isUri ? `file://${path}` : path, checksums };
    this.moments = runs[this.name]!();
    return true;
  }

  get here(): Moment | undefined {
    return this.moments[this.at];
  }

  lineOf(name: string): number {
    return this.lines.findIndex((line) => line.endsWith(` ${name}`)) + 1 - this.shift;
  }

  addressOf(name: string): string {
    return `0x${(4_096 + this.lineOf(name) * 16).toString(16)}`;
  }

  end(): void {
    if (this.isOver) return;
    [this.isOver, this.isRunning, this.shared.isAlive] = [true, false, false];
    this.adapter.event("thread", { reason: "exited", threadId: 1 });
    this.adapter.event("exited", { exitCode: this.name === "io" ? 3 : 0 });
    this.adapter.event("terminated");
  }

  stopAt(reason: string, hitBreakpointIds?: readonly number[]): void {
    this.isRunning = false;
    this.adapter.event("stopped", {
      reason,
      threadId: 1,
      allThreadsStopped: true,
      ...(hitBreakpointIds === undefined ? {} : { hitBreakpointIds }),
    });
  }

  /** Runs the program until something stops it. */
  run(direction = 1): void {
    this.isRunning = true;
    // A breakpoint on the same line comes before the exception.
    if (this.#raises(this.here)) return this.stopAt("exception");
    while (this.isRunning && this.at + direction >= 0) {
      const before = this.here;
      this.at += direction;
      const { here } = this;
      if (here === undefined) return this.end();
      const hit = this.breakpoints.find((each) => this.#hits(each, here));
      if (hit !== undefined)
        return this.stopAt("breakpoint", this.has("bp-10") ? undefined : [hit["id"]]);
      const isEntered = here.stack.length > (before?.stack.length ?? 0);
      if (isEntered && this.functions.some(({ name }) => name === here.stack[0]))
        return this.stopAt("function breakpoint");
      if (this.instructions.includes(this.lineOf(here.at)))
        return this.stopAt("instruction breakpoint");
      const { watched } = this;
      if (watched !== undefined && before?.variables[watched.name] !== here.variables[watched.name])
        return this.stopAt("data breakpoint", [watched.id]);
      if (this.#raises(here)) return this.stopAt("exception");
      if (here.at === "tick") return;
    }
  }

  /** Steps through the program until the stack has a suitable depth. */
  step(fits: (depth: number) => boolean, direction = 1): void {
    do this.at += direction;
    while (this.here !== undefined && !fits(this.here.stack.length));
    if (this.here === undefined) this.end();
    else this.stopAt("step");
  }

  /** Evaluates a variable, or the sum of a variable and a number. */
  value(expression: string): string | undefined {
    const [name, more] = expression.split(" + ");
    const found = /^\d+$/.test(name!) ? name : this.here?.variables[name!];
    if (found === undefined || more === undefined) return found;
    return /^\d+$/.test(more) ? String(Number(found) + Number(more)) : undefined;
  }

  #raises(moment: Moment | undefined): boolean {
    if (moment?.reason !== "exception" || this.isRaised || !this.filters.includes("all"))
      return false;
    this.isRaised = true;
    return true;
  }

  #hits(each: Message, here: Moment): boolean {
    if (each["line"] !== this.lineOf(here.at)) return false;
    const isTrue = each["condition"] === undefined || holds(each["condition"], here);
    if (!isTrue && !this.has("bp-29")) return false;
    (each as { hits: number }).hits++;
    if (each["hitCondition"] !== undefined && each["hits"] !== Number(each["hitCondition"]))
      return false;
    if (!isTrue && each["hitCondition"] === undefined) return false;
    if (each["logMessage"] === undefined) return true;
    const output = String(each["logMessage"]).replace(
      /\{(\w+)\}/g,
      (_, name) => here.variables[name]!,
    );
    this.adapter.event("output", { category: "console", output: `${output}\n` });
    return this.has("bp-10");
  }
}

/** Returns whether the adapter supports a breakpoint condition. */
export const isCondition = (text: string): boolean => /^\w+ (==|>=) \d+$/.test(text);

function holds(condition: string, { variables }: Moment): boolean {
  const [name, operator, value] = condition.split(" ");
  return operator === ">=" ? Number(variables[name!]) >= Number(value) : variables[name!] === value;
}
