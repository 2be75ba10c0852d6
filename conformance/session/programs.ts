import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** An entry in `fixtures/languages.json`: how to build, start and inspect a language's programs. */
export interface Language {
  readonly name: string;
  /** Name of another language, which provides the programs and all properties omitted here. */
  readonly like?: string;
  /** The fixtures' file extension, without a dot. */
  readonly extension: string;
  /** Command that builds `${program}` from `${source}`. If absent, the source is the program. */
  readonly build?: readonly string[];
  /** Command that runs `${program}` without a debugger. */
  readonly run: readonly string[];
  /** Default arguments for `launch`, which an adapter may override. */
  readonly launch: Readonly<Record<string, unknown>>;
  /** Whether debuggers control the programs through the operating system, as those for C do. */
  readonly isNative?: true;
  /**
   * Whether programs keep running after they have completed their work, as a page in a browser
   * does.
   */
  readonly isEndless?: true;
  /**
   * Reasons for omissions: programs that cannot be written in the language, by name, and checks
   * that its programs cannot demonstrate, by id, such as `end-08`. These checks are not applicable.
   */
  readonly without?: Readonly<Partial<Record<ProgramName | `${string}-${string}`, string>>>;
  /** Source text in the language, by purpose. */
  readonly text: Readonly<Record<LanguageText, string>>;
}

/**
 * Purposes for which cases require text in the program's language. Unless stated otherwise, they
 * apply to `loop` at `@bp loop`.
 */
type LanguageText =
  /** A condition that is true when `i` is 5, and a condition that is never true. */
  | "isFive"
  | "never"
  /** A condition that is true when `i` is 5 or more, and text that is not a valid expression. */
  | "isLate"
  | "invalid"
  /** Variable names as shown by `variables`, and as expressions. */
  | "i"
  | "total"
  | "iExpression"
  | "totalExpression"
  /** A number that is assigned to a variable. */
  | "value"
  /** The sum of `i` and 1, and the sum of 20 and 3. */
  | "sum"
  | "constant"
  /** An expression that assigns 5 to `total`. */
  | "assignment"
  /** Name of the function `inner` in `calls`, in the form required by function breakpoints. */
  | "function"
  /** Names of the variables in `data`. */
  | "number"
  | "numberExpression"
  | "large"
  | "text"
  | "nested";

/** The marked lines that the cases require, by program. */
export const marks = {
  loop: ["first", "loop", "blank", "next", "end"],
  calls: ["call", "outer", "outer-next", "inner", "deep", "end"],
  data: ["data"],
  throws: ["uncaught"],
  threads: ["worker"],
  io: [],
  waits: ["ready", "tick"],
  child: ["child"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a marked line. */
export type Mark = (typeof marks)[keyof typeof marks][number];

export type ProgramName = keyof typeof marks;

/** A program to debug. */
export interface Program {
  readonly name: ProgramName;
  /** Paths of the source and of the file that is started. */
  readonly source: string;
  readonly program: string;
  /** Line numbers, counted from 1, by the name that follows `@bp` or `@line` in a comment. */
  readonly lines: ReadonlyMap<string, number>;
}

/**
 * Replaces `${NAME}` in the strings of a value. A string that consists only of the name of a number
 * becomes that number.
 */
export function fillIn<Value>(
  value: Value,
  names: Readonly<Record<string, string | number>>,
): Value {
  let text = JSON.stringify(value);
  for (const [name, each] of Object.entries(names)) {
    if (typeof each === "number") text = text.replaceAll(`"\${${name}}"`, String(each));
    text = text.replaceAll(`\${${name}}`, JSON.stringify(String(each)).slice(1, -1));
  }
  return JSON.parse(text) as Value;
}

/** Thrown if a program is missing. The message states the reason as a sentence. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
}

/** Finds and builds a language's programs. Each program is built only once. */
export class Programs {
  readonly language: Language;
  readonly folder: string;
  readonly output: string;
  readonly #built = new Map<ProgramName, Program>();

  /**
   * @param folder Folder that contains the fixtures.
   * @param output Folder for build output.
   */
  constructor(language: Language, folder: string, output: string) {
    this.language = language;
    this.folder = folder;
    this.output = output;
  }

  has(name: ProgramName): boolean {
    return this.language.without?.[name] === undefined && existsSync(this.#pathOf(name));
  }

  /** @throws ProgramError if the compiler is missing or fails. */
  get(name: ProgramName): Program {
    let program = this.#built.get(name);
    if (program === undefined) {
      const { file, text } = this.source(name);
      program = { name, source: file, program: this.#build(name, file), lines: linesOf(text) };
      this.#built.set(name, program);
    }
    return program;
  }

  /** Returns the path and contents of a program's source. */
  source(name: ProgramName): { readonly file: string; readonly text: string } {
    const file = this.#pathOf(name);
    return { file, text: readFileSync(file, "utf8") };
  }

  #pathOf(name: ProgramName): string {
    return resolve(this.folder, `${name}.${this.language.extension}`);
  }

  #build(name: ProgramName, source: string): string {
    const { build } = this.language;
    if (build === undefined) return source;
    mkdirSync(this.output, { recursive: true });
    const program = join(this.output, name);
    const [command, ...args] = fillIn(build, { program, source });
    try {
      execFileSync(command!, args, { stdio: ["ignore", "ignore", "pipe"], cwd: this.output });
    } catch (error) {
      const { stderr, message } = error as { stderr?: Buffer; message: string };
      throw new ProgramError(`cannot build ${name}: ${stderr?.toString().trim() || message}`);
    }
    return program;
  }
}

/** Returns the lines marked with `@bp NAME` or `@line NAME`, by name. Lines are counted from 1. */
export function linesOf(source: string): ReadonlyMap<string, number> {
  return new Map(
    source.split("\n").flatMap((line, index): readonly (readonly [string, number])[] => {
      const mark = /@(?:bp|line) ([\w-]+)/.exec(line)?.[1];
      return mark === undefined ? [] : [[mark, index + 1]];
    }),
  );
}
