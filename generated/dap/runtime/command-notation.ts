import { EncodeError } from "./encode-error.js";
import { readPieces, writePieces } from "./command-pieces.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { LineDecoder } from "./line-decoder.js";
import { getField, type MessageFieldNames, type Notation, type Piece } from "./notation.js";

/** How a command is spelled on its line. */
export interface CommandSpelling {
  /** What it can begin with; the first one is written. */
  readonly words: readonly string[];
  /** What follows. */
  readonly pieces: readonly Piece[];
  /** Whether upper and lower case are the same in its words. */
  readonly anyCase?: boolean;
  /** Texts with which the peer cannot cope in this command. */
  readonly refuses?: readonly string[];
  /** What separates it from the next command on the same line; with a backslash in front it does not. */
  readonly separator?: string;
}

/** The commands that one side sends, by name. */
export interface CommandTable {
  readonly commands: { readonly [name: string]: CommandSpelling };
  /** Texts with which the peer cannot cope in a line that is no command of the table. */
  readonly refuses?: readonly string[];
}

/** Messages that are commands, one on each line or several with a separator between them. */
export class CommandNotation implements Notation {
  readonly #table: CommandTable;
  readonly #fields: MessageFieldNames;
  /** All words with their commands, longer ones first, so that none hides another one. */
  readonly #words: readonly (readonly [word: string, name: string])[];
  readonly #separator: string | undefined;

  /** @param fields The fields of a message that have its name and its arguments. */
  constructor(table: CommandTable, fields: MessageFieldNames) {
    this.#table = table;
    this.#fields = fields;
    const commands = Object.entries(table.commands);
    this.#words = commands
      .flatMap(([name, { words }]) => words.map((word) => [word, name] as const))
      .sort(([a], [b]) => b.length - a.length);
    this.#separator = commands.find(([, each]) => each.separator !== undefined)?.[1].separator;
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    return new LineDecoder(options, { read: (line) => this.readLine(line) });
  }

  /**
   * The commands of a line. A line that is one command as a whole is that one, unless it is of those that are
   * taken apart; the name of an unknown command is its text.
   */
  readLine(line: string): readonly object[] {
    const text = line.trim();
    if (text === "") return [];
    const whole = this.#read(text, undefined);
    if (whole !== undefined) return [whole];
    return splitAt(text, this.#separator).map(
      (part) => this.#read(part, this.#separator) ?? { [this.#fields.name]: part },
    );
  }

  /** The command that a line begins like, whatever follows. */
  nameOf(line: string): string | undefined {
    return this.#words.find(
      ([word, name]) =>
        behindWord(line.trim(), word, this.#table.commands[name]!.anyCase === true) !== undefined,
    )?.[1];
  }

  write(message: object): string {
    const name = getField(message, this.#fields.name);
    const values = getField(message, this.#fields.payload);
    if (typeof name !== "string")
      throw new EncodeError(
        "ERR_ENCODE_NAME",
        "Cannot write a command without a name",
        `/${this.#fields.name}`,
      );
    const path = `/${this.#fields.payload}`;
    const spelling = Object.hasOwn(this.#table.commands, name)
      ? this.#table.commands[name]
      : undefined;
    const text =
      spelling === undefined
        ? name
        : spelling.words[0]! + writePieces(spelling.pieces, values, path);
    const refused = (spelling ?? this.#table).refuses?.find((each) => text.includes(each));
    if (refused !== undefined)
      throw new EncodeError(
        "ERR_ENCODE_REFUSED",
        `Cannot write "${refused}" in this command: the other side does not cope with it`,
        path,
      );
    const separator = spelling === undefined ? this.#separator : spelling.separator;
    const line = separator === undefined ? text : text.replaceAll(separator, `\\${separator}`);
    this.#checkReading(message, name, line, path);
    return `${line}\n`;
  }

  /** What is written must be read as what was meant, and as nothing else. */
  #checkReading(message: object, name: string, line: string, path: string): void {
    const broken = /[\r\n]/.test(line);
    const [read, ...more] = broken ? [] : this.readLine(line);
    const isSame =
      more.length === 0 &&
      getField(read, this.#fields.name) === name &&
      (!Object.hasOwn(this.#table.commands, name) ||
        sameFields(
          getField(read, this.#fields.payload),
          getField(message, this.#fields.payload),
          codeFields(this.#table.commands[name]!.pieces),
        ));
    if (isSame) return;
    throw new EncodeError(
      "ERR_ENCODE_LINE",
      broken
        ? "Cannot write a command with a line end in it"
        : `Cannot write this "${name}" command: its line would be read as something else`,
      path,
    );
  }

  /** @param separator What the text was taken apart at; undefined for a whole line. */
  #read(text: string, separator: string | undefined): object | undefined {
    for (const [word, name] of this.#words) {
      const spelling = this.#table.commands[name]!;
      // Commands that are taken apart are read in their parts.
      if (
        separator === undefined &&
        spelling.separator !== undefined &&
        text.includes(spelling.separator)
      )
        continue;
      const rest = behindWord(text, word, spelling.anyCase === true);
      const values = rest === undefined ? undefined : readPieces(spelling.pieces, rest);
      if (values !== undefined)
        return {
          [this.#fields.name]: name,
          ...(Object.keys(values).length === 0 ? {} : { [this.#fields.payload]: values }),
        };
    }
    return undefined;
  }
}

/** Takes a line apart; what is escaped stays together and loses its backslash. */
function splitAt(text: string, separator: string | undefined): readonly string[] {
  if (separator === undefined) return [text];
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\" && text[at + 1] === separator) part += text[++at]!;
    else if (text[at] === separator) {
      parts.push(part);
      part = "";
    } else part += text[at]!;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== "");
}

/** What follows a word at the start of a text; a blank in the word stands for any number of them. */
function behindWord(text: string, word: string, anyCase: boolean): string | undefined {
  let at = 0;
  for (const [index, part] of word.split(" ").entries()) {
    if (index > 0) {
      const from = at;
      while (text[at] === " " || text[at] === "\t") at++;
      if (at === from) return undefined;
    }
    const found = text.slice(at, at + part.length);
    if (found !== part && !(anyCase && found.toLowerCase() === part.toLowerCase()))
      return undefined;
    at += part.length;
  }
  return /^\w/.test(text.slice(at, at + 1)) ? undefined : text.slice(at);
}

/** Whether two commands have the same arguments; blanks around code mean nothing. */
function sameFields(one: unknown, other: unknown, code: readonly string[]): boolean {
  const names = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  const value = (source: unknown, name: string): unknown => {
    const found = getField(source, name);
    if (Array.isArray(found)) return found.join(" ");
    return typeof found === "number" || (typeof found === "string" && code.includes(name))
      ? String(found).trim()
      : found;
  };
  return [...names].every((name) => {
    const [a, b] = [getField(one, name), getField(other, name)];
    return value(one, name) === value(other, name) || isEmpty(a, b);
  });
}

function codeFields(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === "string") return [];
    if ("optional" in piece) return codeFields(piece.optional);
    return piece.form === "code" ? [piece.field] : [];
  });
}

/** Nothing, and a list of nothing, are written alike. */
function isEmpty(one: unknown, other: unknown): boolean {
  return [one, other].every(
    (each) => each === undefined || (Array.isArray(each) && each.length === 0),
  );
}
