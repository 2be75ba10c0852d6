import { EncodeError } from "../json/encode-error.js";
import { ElementDecoder } from "./element-decoder.js";
import { ElementReader } from "./element-reader.js";
import { ElementShapes, type ElementTable } from "./element-shapes.js";
import { writeElement, writeUnknownElement } from "./element-writer.js";
import type { TextEncoderClass } from "../base/web-standards.js";
import type { ResolvedOptions, StreamDecoder, Notation } from "../frames/decoder-options.js";
import type { FrameLimits } from "../frames/frame-faults.js";
import { getField, setField } from "../base/own-fields.js";
import type { MessageFieldNames } from "../frames/spelling.js";

declare const TextEncoder: TextEncoderClass;

/** A notation whose messages are consecutive XML elements, with text between them. */
export class ElementNotation implements Notation {
  readonly #shapes: ElementShapes;
  readonly #fields: MessageFieldNames;

  /** @param fields Names of the message fields that hold the name and the body. */
  constructor(table: ElementTable, fields: MessageFieldNames) {
    this.#shapes = new ElementShapes(table);
    this.#fields = fields;
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    const { text } = this.#shapes;
    const reader = new ElementReader((name) => this.#shapes.messages.get(name));
    return new ElementDecoder(options, this.#shapes, {
      element: (spelled) => {
        const { name, body } = reader.read(spelled);
        return this.#message(name, body);
      },
      text: (line) => {
        const body = {};
        setField(body, text!.field, line);
        return this.#message(text!.name, body);
      },
    });
  }

  write(message: object): string {
    const name = getField(message, this.#fields.name);
    const body = getField(message, this.#fields.payload);
    if (typeof name !== "string")
      throw new EncodeError(
        "ERR_ENCODE_NAME",
        "Cannot write a message without a name",
        `/${this.#fields.name}`,
      );
    const path = `/${this.#fields.payload}`;
    if (name === this.#shapes.text?.name)
      return this.#writeText(body, this.#shapes.text.field, path);
    const shape = this.#shapes.messages.get(name);
    const text = this.#writeElement(name, body, path);
    // Unknown elements, and elements with unescaped values, might not be read back as they were
    // written.
    if ((shape === undefined || shape.hasRaw) && !this.#isReadAs(name, text, body))
      throw new EncodeError(
        "ERR_ENCODE_LINE",
        `Cannot write this "${name}" element: it would be read back differently`,
        path,
      );
    return text;
  }

  #writeElement(name: string, body: unknown, path: string): string {
    const shape = this.#shapes.messages.get(name);
    return shape === undefined
      ? writeUnknownElement(name, body, path)
      : writeElement(body, shape, path);
  }

  /**
   * Checks and writes text between elements. Because such text cannot be escaped, it must end with
   * a line break and must not look like an element.
   */
  #writeText(body: unknown, field: string, path: string): string {
    const text = getField(body, field);
    const fail = (why: string): never => {
      const message = `Cannot write text between elements that ${why}`;
      throw new EncodeError("ERR_ENCODE_LINE", message, `${path}/${field}`);
    };
    if (typeof text !== "string" || !text.endsWith("\n"))
      return fail("does not end with a line break");
    if (text.includes("<") && !this.#isReadAs(this.#shapes.text!.name, text))
      return fail("would be read as an element");
    return text;
  }

  /**
   * Returns whether a text would be read back as messages with this name and the same content,
   * without waiting for more bytes.
   */
  #isReadAs(name: string, text: string, body?: unknown): boolean {
    const isText = name === this.#shapes.text?.name;
    // A blank line belongs to the text before it, so prepend a line of text.
    const bytes = new TextEncoder().encode(isText ? `.\n${text}` : text);
    let end = 0;
    let isSame = true;
    const decoder = this.createDecoder({
      limits: noLimits,
      strict: true,
      utf8: "replace",
      onMessage: (message, frame) => {
        isSame &&=
          getField(message, this.#fields.name) === name &&
          (isText ||
            (frame.offset === 0 && isContainedIn(getField(message, this.#fields.payload), body)));
        end = frame.offset + frame.bodyLength;
      },
    });
    decoder.push(bytes);
    return isSame && !decoder.failed && end === bytes.length;
  }

  #message(name: string, body: object): object {
    return { [this.#fields.name]: name, [this.#fields.payload]: body };
  }
}

/**
 * Returns whether the written value contains everything that was read back. A number may be read
 * back as text.
 */
function isContainedIn(read: unknown, written: unknown): boolean {
  if (Array.isArray(read))
    return (
      Array.isArray(written) &&
      read.length === written.length &&
      read.every((each, index) => isContainedIn(each, written[index]))
    );
  return typeof read === "object" && read !== null
    ? Object.entries(read).every(([name, each]) => isContainedIn(each, getField(written, name)))
    : String(read) === String(written);
}

const noLimits: FrameLimits = {
  maxBodyBytes: Infinity,
  maxHeaderBytes: Infinity,
  maxHeaderCount: Infinity,
  maxDepth: Infinity,
};
