import { getField, setField } from "../base/own-fields.js";
import type { TextDecoderClass, TextEncoderClass } from "../base/web-standards.js";
import type { BodyFault } from "../frames/body-reader.js";
import type {
  JsonFraming,
  Notation,
  ResolvedOptions,
  StreamDecoder,
} from "../frames/decoder-options.js";
import { createFramedDecoder } from "../frames/frame-decoder.js";
import type { FieldPiece, MessageFieldNames, Piece } from "../frames/spelling.js";
import { cannotWrite } from "./cannot-write.js";
import type { CommandTable } from "./command-notation.js";
import { readForm } from "./element-reader.js";

declare const TextEncoder: TextEncoderClass;
declare const TextDecoder: TextDecoderClass;
declare const btoa: (bytes: string) => string;
declare const atob: (text: string) => string;

/** Names of the fields in commands, and the option for the id. */
interface OptionFieldNames extends MessageFieldNames {
  readonly id: string;
  /** The option that precedes the id, such as `-i`. */
  readonly idOption: string;
}

/** The option that precedes a command's data. All the text after it is data. */
const dataOption = "--";

/**
 * A notation whose messages are commands with options in any order: `NAME -i ID -n VALUE -- DATA`.
 * Values that contain spaces are enclosed in double quotes, and each quote or backslash inside them
 * is preceded by a backslash.
 */
export class OptionNotation implements Notation {
  readonly framing: JsonFraming;
  readonly #fields: OptionFieldNames;
  /** Command names, keyed by the words used to write them. */
  readonly #names = new Map<string, string>();
  readonly #commands = new Map<string, { readonly word: string; readonly options: Options }>();

  constructor(table: CommandTable, framing: JsonFraming, fields: OptionFieldNames) {
    this.framing = framing;
    this.#fields = fields;
    for (const [name, { words, pieces }] of Object.entries(table.commands)) {
      for (const word of words) this.#names.set(word, name);
      this.#commands.set(name, { word: words[0]!, options: optionsOf(pieces) });
    }
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    return createFramedDecoder(this.framing, options, { read: (text) => this.#read(text) });
  }

  /**
   * Reads a command. An option that is not defined for the command becomes a field named after the
   * option.
   */
  #read(text: string): readonly object[] | BodyFault {
    const words = splitWords(text);
    if (words === undefined)
      return { code: "ERR_JSON", message: "Cannot read a command: a quotation mark is missing" };
    const [word, ...rest] = words;
    if (word === undefined) return [];
    const name = this.#names.get(word) ?? word;
    const options = this.#commands.get(name)?.options;
    const message: Record<string, unknown> = { [this.#fields.name]: name };
    const values: object = {};
    for (let index = 0; index < rest.length; index += 2) {
      const option = rest[index]!;
      const value = rest[index + 1] ?? "";
      const piece = options?.get(option);
      if (option === this.#fields.idOption) message[this.#fields.id] = readForm(value, "integer");
      else if (piece === undefined) setField(values, option, value);
      else setField(values, piece.field, readValue(value, piece));
    }
    if (Object.keys(values).length > 0) message[this.#fields.payload] = values;
    return [message];
  }

  /** @throws EncodeError with the path of a value that cannot be written. */
  write(message: object): string {
    const { name: nameField, payload, id, idOption } = this.#fields;
    const name = getField(message, nameField);
    if (typeof name !== "string" || /[\s\0"]|^$/.test(name))
      return cannotWrite(
        "a name that is empty or contains spaces, quotation marks or zero bytes",
        `/${nameField}`,
        "ERR_ENCODE_NAME",
      );
    const { word, options } = this.#commands.get(name) ?? { word: name, options: undefined };
    const values = Object.entries(getField(message, payload) ?? {}).filter(
      ([, value]) => value !== undefined && value !== null,
    );
    const given = new Map(
      values.map(([field, value]) => {
        const defined = [...(options ?? [])].find(([, piece]) => piece.field === field);
        const path = `/${payload}/${field}`;
        const option = defined?.[0] ?? field;
        if (!/^--?\w?$/.test(option))
          cannotWrite(`"${field.slice(0, 100)}": it is not an option`, path);
        return [option, writeValue(value, defined?.[1], option, path)] as const;
      }),
    );
    const data = given.get(dataOption);
    given.delete(dataOption);
    const number = getField(message, id);
    return [
      word,
      ...(number === undefined
        ? []
        : [`${idOption} ${writeValue(number, undefined, idOption, `/${id}`)}`]),
      ...[...given].map(([option, value]) => `${option} ${value}`),
      ...(data === undefined ? [] : [`${dataOption} ${data}`]),
    ].join(" ");
  }
}

type Options = ReadonlyMap<string, FieldPiece>;

/** Returns a command's fields, keyed by option. The option is the text before the field. */
function optionsOf(pieces: readonly Piece[]): Options {
  const options = new Map<string, FieldPiece>();
  let before = "";
  for (const piece of pieces.flatMap((each) =>
    typeof each !== "string" && "optional" in each ? each.optional : [each],
  )) {
    if (typeof piece === "string") before = piece.trim();
    else if ("field" in piece) options.set(before, piece);
  }
  return options;
}

/**
 * Returns a command's words, or undefined if a quote is not closed. The last word is the text after
 * `--`.
 */
function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const word = /\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s"]\S*))/y;
  const end = text.trimEnd().length;
  while (word.lastIndex < end) {
    const match = word.exec(text);
    if (match === null) return undefined;
    words.push(match[1]?.replaceAll(/\\(["\\])/g, "$1") ?? match[2]!);
    if (match[2] === dataOption) {
      words.push(text.slice(word.lastIndex).trim());
      break;
    }
  }
  return words;
}

function readValue(value: string, { form }: FieldPiece): unknown {
  if (form !== "base64") return readForm(value, form);
  try {
    const bytes = Uint8Array.from(atob(value), (unit) => unit.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return value;
  }
}

function writeValue(
  value: unknown,
  piece: FieldPiece | undefined,
  option: string,
  path: string,
): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean")
    return cannotWrite("a value that is not a string", path);
  const text = String(value);
  if (piece?.values !== undefined && !piece.values.includes(text))
    cannotWrite(`a value other than ${piece.values.join(", ")}`, path);
  if (piece?.form === "base64") {
    const bytes = new TextEncoder().encode(text);
    let units = "";
    for (const byte of bytes) units += String.fromCharCode(byte);
    return btoa(units);
  }
  if (/[\0\r\n]|\p{Surrogate}/u.test(text))
    cannotWrite(
      "a line break, a zero byte or a lone surrogate in a command",
      path,
      "ERR_ENCODE_LINE",
    );
  if (option === dataOption) return text;
  return /^$|[\s"\\]|^-/.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text;
}
