import { statedFields } from "../../base/stated-fields.js";
import type {
  CommandSpelling,
  DocumentNotation,
  ElementSpelling,
  Notation,
} from "../../model/notation.js";
import type { Lanes, Message, Protocol, RequestMessage } from "../../model/protocol.js";
import { definitionsByName, eventsOf } from "../../model/queries.js";
import type { Definition } from "../../model/types.js";
import type {
  DescribedLine,
  DescribedNotation,
  DescribedRequest,
  Description,
  ElementTemplates,
  DescribedAnswers,
  DescribedLanes,
} from "../description/description-types.js";
import type { Faults } from "../../base/faults.js";
import { joinPointer, type JsonFile } from "../source/json-text.js";
import {
  readArguments,
  readElementTemplate,
  readWords,
  TemplateFault,
} from "./spelling-templates.js";
import type { AnswerPattern, CommandAnswers } from "../../../runtime/lanes/lane-table.js";

/**
 * Adds two things to a protocol: how to spell messages that are not JSON and, if messages have no
 * ids, how to match answers to commands.
 *
 * @param faults Receives conflicts, with their locations in the description.
 */
export function readNotations(
  protocol: Protocol,
  description: Description,
  file: JsonFile,
  faults: Faults,
): Protocol {
  const { notation, lanes, messages: convention } = description;
  const rows = convention.by === "table" ? convention.requests : {};
  const failure = convention.by === "table" ? convention.error : undefined;
  const reading = new NotationReading(protocol, file, faults);
  const notations = Object.entries(notation ?? {}).map(
    ([role, described]) => [role, reading.notation(role, described, failure)] as const,
  );
  if (lanes === undefined && protocol.envelope.response === undefined)
    reading.refuse(
      "Cannot match answers to commands: messages have no ids, and the description has no lanes",
      ["envelope"],
    );
  return statedFields({
    ...protocol,
    notations: notations.length === 0 ? undefined : Object.fromEntries(notations),
    lanes: lanes && reading.lanes(lanes),
    messages: protocol.messages.map((message) =>
      message.kind === "request" && Object.hasOwn(rows, message.name)
        ? reading.command(message, rows[message.name]!, description)
        : message,
    ),
    dialects: protocol.dialects.map((dialect) => {
      const templates = description.dialects?.[dialect.name]?.elements;
      const place = ["dialects", dialect.name, "elements"];
      return statedFields({
        ...dialect,
        elements: templates && reading.elements(templates, place),
      });
    }),
  });
}

class NotationReading {
  readonly #protocol: Protocol;
  readonly #file: JsonFile;
  readonly #faults: Faults;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #events: ReadonlySet<string>;

  constructor(protocol: Protocol, file: JsonFile, faults: Faults) {
    this.#protocol = protocol;
    this.#file = file;
    this.#faults = faults;
    this.#events = new Set(eventsOf(protocol).map(({ name }) => name));
    this.#definitions = definitionsByName(protocol);
  }

  /** Reports a conflict in the description. */
  refuse(message: string, place: readonly string[], hint?: string): void {
    const at = this.#file.locate(joinPointer("", ...place));
    this.#faults.add("ERR_DESCRIPTION", message, at, hint);
  }

  notation(role: string, described: DescribedNotation, failure: string | undefined): Notation {
    const path = ["notation", role];
    const framing = this.#protocol.framing[role]!;
    const isFramed = described.kind === "command-options" || described.kind === "xml-document";
    const wanted = isFramed ? "nul" : described.kind === "command-line" ? "lines" : "xml-concat";
    if (isFramed ? framing === "xml-concat" || framing === "content-length" : framing !== wanted)
      this.refuse(
        `Cannot use the framing "${framing}" for ${described.kind}`,
        ["framing", role],
        `Use "${wanted}"`,
      );
    if (described.kind === "command-line")
      return { kind: described.kind, refuses: described.refuses ?? [] };
    if (described.kind === "command-options") return described;
    const elements = this.elements(described.elements, [...path, "elements"]);
    if (described.kind === "xml-document")
      return this.#documents(role, { ...described, elements }, failure, path);
    const text = described.text === undefined ? undefined : this.#textMessage(described.text, path);
    this.#checkElements(role, elements, text?.name, path);
    return statedFields({ kind: described.kind, elements, text });
  }

  #checkElements(
    role: string,
    elements: Readonly<Record<string, readonly ElementSpelling[]>>,
    text: string | undefined,
    place: readonly string[],
  ): void {
    for (const message of this.#protocol.messages)
      if (message.sender === role && message.name !== text)
        this.#checkTag(message.name, payloadName(message), message.name, elements, place);
  }

  /** Checks that a definition has a template whose element has the given name. */
  #checkTag(
    message: string,
    definition: string | undefined,
    tag: string,
    elements: Readonly<Record<string, readonly ElementSpelling[]>>,
    place: readonly string[],
  ): void {
    const spellings = elements[definition ?? ""];
    // Templates that could not be read have been reported.
    if (spellings?.length === 0 || spellings?.[0]?.tag === tag) return;
    this.refuse(
      `Cannot write the message "${message}": its definition "${definition ?? ""}" has no element called "${tag}"`,
      [...place, "elements"],
    );
  }

  #documents(
    role: string,
    { responses, ...notation }: DocumentNotation,
    failure: string | undefined,
    place: readonly string[],
  ): DocumentNotation {
    const { elements } = notation;
    this.#checkElements(role, elements, undefined, place);
    if (responses === undefined) return notation;
    for (const message of this.#protocol.messages)
      if (message.kind === "request" && message.sender !== role && message.result !== undefined) {
        const { type } = message.result;
        const definition = type.kind === "reference" ? type.name : undefined;
        this.#checkTag(message.name, definition, responses.tag, elements, place);
      }
    if (failure !== undefined && elements[failure] === undefined)
      this.refuse(`Cannot find the template for "${failure}"`, [...place, "elements"]);
    return { ...notation, responses: statedFields({ ...responses, failure }) };
  }

  /**
   * Finds the message that represents text between elements. Returns its name and its definition's
   * only field.
   */
  #textMessage(
    name: string,
    place: readonly string[],
  ): { readonly name: string; readonly field: string } {
    const message = this.#protocol.messages.find((each) => each.name === name);
    const type =
      message === undefined ? undefined : this.#definitions.get(payloadName(message) ?? "")?.type;
    const fields = type?.kind === "object" ? type.properties : [];
    if (fields.length !== 1)
      this.refuse(`Cannot use "${name}" for text: it must be a message with exactly one field`, [
        ...place,
        "text",
      ]);
    return { name, field: fields[0]?.name ?? "" };
  }

  elements(
    templates: ElementTemplates,
    place: readonly string[],
  ): Readonly<Record<string, readonly ElementSpelling[]>> {
    return Object.fromEntries(
      Object.entries(templates).map(([name, given]) => {
        const definition = this.#definitions.get(name);
        if (definition === undefined) {
          this.refuse(`Cannot find the definition "${name}"`, [...place, name]);
          return [name, []];
        }
        const listed = [given].flat();
        const spellings = listed.flatMap((template) =>
          this.#read(
            [...place, name],
            () => [readElementTemplate(template, definition, this.#definitions)],
            [],
          ),
        );
        for (const { children = [] } of spellings)
          for (const child of children)
            if (!Object.hasOwn(templates, child.definition))
              this.refuse(`Cannot find the template for "${child.definition}"`, [...place, name]);
        return [name, spellings.length === listed.length ? spellings : []];
      }),
    );
  }

  command(
    message: RequestMessage,
    row: DescribedRequest,
    description: Description,
  ): RequestMessage {
    const path = ["messages", "requests", message.name];
    const { line, answered } = row;
    const isLine = description.notation?.[message.sender]?.kind.startsWith("command-");
    if (isLine === true && line === undefined)
      this.refuse(`Cannot write "${message.name}": it has no "line" field`, path);
    if (description.lanes !== undefined && answered === undefined)
      this.refuse(`Cannot match answers to "${message.name}": it has no "answered" field`, path);
    const separator = answered && description.lanes?.lanes[answered.lane]?.separator;
    return statedFields({
      ...message,
      spelling: line && this.#line(message, line, separator, path),
      answers: answered && this.#answers(answered, description.lanes, [...path, "answered"]),
    });
  }

  #line(
    message: RequestMessage,
    line: DescribedLine,
    separator: string | undefined,
    place: readonly string[],
  ): CommandSpelling {
    const definition = this.#definitions.get(payloadName(message) ?? "");
    return statedFields({
      words: this.#read([...place, "line", "words"], () => readWords(line.words), []),
      pieces: this.#read(
        [...place, "line", "arguments"],
        () => readArguments(line.arguments ?? "", definition, this.#definitions),
        [],
      ),
      anyCase: line.anyCase && true,
      refuses: line.refuses,
      separator,
    });
  }

  /** Reads a template. Returns `otherwise` if that is not possible. */
  #read<Result>(place: readonly string[], read: () => Result, otherwise: Result): Result {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      this.refuse(`Cannot use the template: ${error.message}`, place);
      return otherwise;
    }
  }

  /** Reads how a command of a protocol without ids is answered. */
  #answers(
    answered: DescribedAnswers,
    lanes: DescribedLanes | undefined,
    place: readonly string[],
  ): CommandAnswers {
    const { lane, by = [], failures = [], ...rest } = answered;
    if (lanes === undefined || !Object.hasOwn(lanes.lanes, lane))
      this.refuse(`Cannot find the lane "${lane}"`, [...place, "lane"]);
    this.#requireEvents(by, [...place, "by"]);
    this.#patterns(failures, [...place, "failures"]);
    return { lane, answers: by, failures, ...rest };
  }

  /** Reads the lanes of a protocol without ids. */
  lanes(described: DescribedLanes): Lanes {
    const { stops = [], notes = [], breakdown, unknown } = described;
    this.#requireEvents(stops, ["lanes", "stops"]);
    this.#patterns(notes, ["lanes", "notes"]);
    this.#patterns(breakdown === undefined ? [] : [breakdown], ["lanes", "breakdown"]);
    const lane = unknown?.lane;
    if (unknown !== undefined && (lane === undefined || !Object.hasOwn(described.lanes, lane)))
      this.refuse(
        "Cannot match answers to unknown commands: the description does not define a lane for them",
        ["lanes", "unknown"],
      );
    return statedFields({
      lanes: Object.fromEntries(
        Object.entries(described.lanes).map(([name, { waits }]) => [name, { waits }]),
      ),
      stops,
      notes,
      breakdown,
      unknown: unknown === undefined || lane === undefined ? undefined : { ...unknown, lane },
    });
  }

  #patterns(patterns: readonly AnswerPattern[], place: readonly string[]): void {
    this.#requireEvents(
      patterns.map(({ name }) => name),
      place,
    );
  }

  #requireEvents(names: readonly string[], place: readonly string[]): void {
    for (const name of names)
      if (!this.#events.has(name)) this.refuse(`Cannot find the message "${name}"`, place);
  }
}

/** Returns the name of a message's payload definition. */
function payloadName({ payload }: Message): string | undefined {
  return payload?.type.kind === "reference" ? payload.type.name : undefined;
}
