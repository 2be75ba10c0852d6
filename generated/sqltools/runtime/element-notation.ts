import { EncodeError } from "./encode-error.js";
import { ElementDecoder } from "./element-decoder.js";
import { nameOfElement, readElement } from "./element-reader.js";
import { ElementShapes, type ElementTable } from "./element-shapes.js";
import { writeElement, writeUnknownElement } from "./element-writer.js";
import type { ResolvedOptions, StreamDecoder } from "./frame-decoder.js";
import { getField, setField, type MessageFieldNames, type Notation } from "./notation.js";

/** Messages that are XML elements, one document behind the other, with text between them. */
export class ElementNotation implements Notation {
  readonly #shapes: ElementShapes;
  readonly #fields: MessageFieldNames;

  /** @param fields The fields of a message that have its name and its body. */
  constructor(table: ElementTable, fields: MessageFieldNames) {
    this.#shapes = new ElementShapes(table);
    this.#fields = fields;
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    const { text } = this.#shapes;
    return new ElementDecoder(options, this.#shapes, {
      element: (spelled) => {
        const name = nameOfElement(spelled);
        return this.#message(name, readElement(spelled, this.#shapes.messages.get(name)));
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
    if (name === this.#shapes.text?.name) return textBetween(body, this.#shapes.text.field, path);
    const shape = this.#shapes.messages.get(name);
    return shape === undefined
      ? writeUnknownElement(name, body, path)
      : writeElement(body, shape, path);
  }

  #message(name: string, body: object): object {
    return { [this.#fields.name]: name, [this.#fields.payload]: body };
  }
}

/** Text between elements must end its line, so that it can be told from what follows. */
function textBetween(body: unknown, field: string, path: string): string {
  const text = getField(body, field);
  if (typeof text !== "string" || !text.endsWith("\n"))
    throw new EncodeError(
      "ERR_ENCODE_LINE",
      "Cannot write text between elements that does not end in a line end",
      `${path}/${field}`,
    );
  return text;
}
