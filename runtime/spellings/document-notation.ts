import { getField, setField } from "../base/own-fields.js";
import type { BodyFault } from "../frames/body-reader.js";
import type {
  JsonFraming,
  Notation,
  ResolvedOptions,
  StreamDecoder,
} from "../frames/decoder-options.js";
import { createFramedDecoder } from "../frames/frame-decoder.js";
import type { MessageFieldNames } from "../frames/spelling.js";
import { cannotWrite } from "./cannot-write.js";
import { unescapeCharacters } from "./character-references.js";
import { ElementReader } from "./element-reader.js";
import { elementLimits, StartTag, type ElementLimits } from "./element-scanner.js";
import {
  ElementShape,
  ElementShapes,
  type ElementTable,
  type ResponseElement,
} from "./element-shapes.js";
import { writeElement, writeUnknownElement } from "./element-writer.js";

/** Names of the fields in responses: the same as in events, plus the id and the error. */
interface ResponseFieldNames extends MessageFieldNames {
  readonly id: string;
  readonly error: string;
}

/**
 * A notation in which each message is an XML document with a single element. The framing separates
 * the documents.
 */
export class DocumentNotation implements Notation {
  readonly framing: JsonFraming;
  readonly #shapes: ElementShapes;
  readonly #responses: ResponseElement | undefined;
  readonly #events: MessageFieldNames;
  readonly #fields: ResponseFieldNames;
  readonly #failure: ElementShape | undefined;
  /**
   * The shape of responses to requests that have no defined result. Attributes become fields of the
   * result.
   */
  readonly #anyResult: ElementShape;

  /** @param events Names of the message fields that hold an event's name and body. */
  constructor(
    table: ElementTable,
    framing: JsonFraming,
    events: MessageFieldNames,
    responses: ResponseFieldNames,
  ) {
    this.framing = framing;
    this.#shapes = new ElementShapes(table);
    this.#responses = table.responses;
    this.#events = events;
    this.#fields = responses;
    const { tag = "", failure = "", results = {} } = table.responses ?? {};
    this.#failure = this.#shapes.shapes.get(failure);
    this.#anyResult = new ElementShape([{ tag, attributes: {}, pieces: [`<${tag}/>`] }]);
    if (this.#failure !== undefined) {
      const child = { field: responses.error, definition: failure, isSingle: true } as const;
      for (const definition of ["", ...Object.values(results)])
        (this.#shapes.shapes.get(definition) ?? this.#anyResult).childShapes.set(
          this.#failure.tag,
          { ...child, shape: this.#failure },
        );
    }
  }

  createDecoder(options: ResolvedOptions): StreamDecoder {
    const limits = {
      ...elementLimits(1_000, options.limits.maxDepth),
      hasPlainSections: true,
    } as const;
    return createFramedDecoder(this.framing, options, {
      read: (text) => this.#read(text, limits),
    });
  }

  #read(text: string, limits: ElementLimits): readonly object[] | BodyFault {
    // A declaration, comments and white space may precede the element.
    const start = /^\uFEFF?(?:\s|<\?[^]*?\?>|<!--[^]*?-->)*/.exec(text)![0].length;
    const tag = new StartTag(limits.maxAttributes);
    tag.begin(start, () => undefined);
    let at = start + 1;
    if (text[start] === "<")
      while (at < text.length && tag.step(text.charCodeAt(at), at) === "more") at++;
    if (tag.name === "") return { code: "ERR_ELEMENT", message: "Cannot find an element" };
    const attributes = new Map(
      tag.attributes.map((each) => [
        each.name,
        unescapeCharacters(text.slice(each.start, each.end)),
      ]),
    );
    const isResponse = tag.name === this.#responses?.tag;
    const shape = isResponse
      ? this.#responseShape(attributes.get(this.#responses!.name) ?? "")
      : this.#shapes.messages.get(tag.name);
    let isRoot = true;
    const reader = new ElementReader((name) => {
      const rootShape = isRoot && name === tag.name ? shape : undefined;
      isRoot = false;
      return rootShape;
    }, limits);
    const read = reader.readDocument(text, start);
    if (!("body" in read)) return { code: read.code, message: read.message };
    return [
      isResponse
        ? this.#response(read.body, attributes)
        : { [this.#events.name]: tag.name, [this.#events.payload]: read.body },
    ];
  }

  #responseShape(request: string): ElementShape {
    const { results } = this.#responses!;
    const definition = Object.hasOwn(results, request) ? results[request]! : "";
    return this.#shapes.shapes.get(definition) ?? this.#anyResult;
  }

  #response(read: object, attributes: ReadonlyMap<string, string>): object {
    const { name, id } = this.#responses!;
    const number = attributes.get(id) ?? "";
    const message: Record<string, unknown> = { [this.#fields.name]: attributes.get(name) ?? "" };
    if (number !== "")
      message[this.#fields.id] = /^\d{1,15}$/.test(number) ? Number(number) : number;
    const body: object = {};
    for (const [field, value] of Object.entries(read))
      if (field === this.#fields.error) message[field] = value;
      else if (field !== name && field !== id) setField(body, field, value);
    if (message[this.#fields.error] === undefined) message[this.#fields.payload] = body;
    return message;
  }

  /** @throws EncodeError with the path of a value that cannot be written. */
  write(message: object): string {
    const event = getField(message, this.#events.name);
    if (typeof event === "string") {
      const body = getField(message, this.#events.payload);
      const path = `/${this.#events.payload}`;
      const shape = this.#shapes.messages.get(event);
      return (
        declaration +
        (shape === undefined
          ? writeUnknownElement(event, body, path)
          : writeElement(body, shape, path))
      );
    }
    const request = getField(message, this.#fields.name);
    if (this.#responses === undefined || typeof request !== "string")
      return cannotWrite("a message without a name", `/${this.#events.name}`, "ERR_ENCODE_NAME");
    return declaration + this.#writeResponse(this.#responses, request, message);
  }

  #writeResponse({ tag, name, id }: ResponseElement, request: string, message: object): string {
    const fields = this.#fields;
    const error = getField(message, fields.error);
    const shape = this.#responseShape(request);
    const body = getField(message, fields.payload);
    const content =
      error !== undefined && this.#failure !== undefined
        ? `<${tag}>${writeElement(error, this.#failure, `/${fields.error}`)}</${tag}>`
        : writeElement(body, shape, `/${fields.payload}`);
    const head = writeUnknownElement(
      tag,
      { attributes: { [name]: request, [id]: getField(message, fields.id) ?? "" } },
      `/${fields.id}`,
    );
    return head.slice(0, -2) + content.slice(tag.length + 1);
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
