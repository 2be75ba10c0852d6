import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { compileFunction } from "node:vm";
import { fromRoot } from "./paths.js";

/** A case, with its input. */
const item = /^- (?:[^`]*: )?`(.*)`$/;

const isUpdate = process.env["UPDATE_GOLDEN"] !== undefined;

/**
 * A file of cases, in sections. Each case is an item with its input as code, which may follow a name
 * and a colon; the sublist is the result.
 */
export class CaseList {
  readonly #path: string;
  readonly #sections: (readonly string[])[];

  /** @param path Path from the root. */
  constructor(path: string) {
    this.#path = fromRoot(path);
    this.#sections = readFileSync(this.#path, "utf8")
      .split(/^## /m)
      .map((section) => section.split("\n"));
  }

  /** The names of the sections. */
  get names(): readonly string[] {
    return this.#sections.slice(1).map(([title]) => title!);
  }

  /**
   * Checks the cases of a section, or writes their results with `UPDATE_GOLDEN`.
   *
   * @param run Returns the texts of a case's result, which may have several lines.
   * @param choose Selects the cases to check. Default: all.
   */
  async check(
    name: string,
    run: (input: string) => readonly string[] | Promise<readonly string[]>,
    choose: (starts: readonly number[]) => readonly number[] = (starts) => starts,
  ): Promise<void> {
    const index = this.#sections.findIndex(([title]) => title === name);
    const section = this.#sections[index]!;
    const starts = section.flatMap((line, place) => (item.test(line) ? [place] : []));
    const results = new Map<number, readonly string[]>();
    for (const start of isUpdate ? starts : choose(starts)) {
      const end = section.findIndex((line, place) => place > start && !line.startsWith("  - "));
      const input = item.exec(section[start]!)![1]!;
      const result = (await run(input)).flatMap((text) => text.split("\n").map(escapeInvisible));
      results.set(start, result);
      const stated = section.slice(start + 1, end < 0 ? undefined : end);
      if (!isUpdate)
        assert.deepEqual(
          result,
          stated.map((line) => line.slice(4)),
          section[start],
        );
    }
    if (!isUpdate) return;
    this.#sections[index] = section.flatMap((line, place) =>
      line.startsWith("  - ")
        ? []
        : [line, ...(results.get(place) ?? []).map((each) => `  - ${each}`)],
    );
    writeFileSync(this.#path, this.#sections.map((lines) => lines.join("\n")).join("## "));
  }
}

/** Replaces characters that an editor does not show. */
function escapeInvisible(line: string): string {
  return line.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Evaluates an input: expressions that are separated by arrows, such as `text → list(text)`.
 *
 * @param names The values that the expressions can use, by name.
 */
export function readInput(
  input: string,
  names: Readonly<Record<string, unknown>> = {},
): readonly unknown[] {
  const code = `return [${input.replaceAll(" → ", ", ")}];`;
  const read = compileFunction(code, Object.keys(names)) as (
    ...values: readonly unknown[]
  ) => readonly unknown[];
  return read(...Object.values(names));
}

/** Evaluates an input with two expressions. */
export function readPair(
  input: string,
  names: Readonly<Record<string, unknown>>,
): readonly [unknown, unknown] {
  return readInput(input, names) as readonly [unknown, unknown];
}

/**
 * Declares a test for each section of a file of cases.
 *
 * @param subject The beginning of each test's title. The section's name follows.
 * @param run Returns the texts of a case's result.
 */
export function testCases(
  path: string,
  subject: string,
  run: (input: string, section: string) => readonly string[] | Promise<readonly string[]>,
): void {
  const cases = new CaseList(path);
  for (const name of cases.names)
    test(`${subject}: ${name}`, () => cases.check(name, (input) => run(input, name)));
}
