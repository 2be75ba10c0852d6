import { statedFields } from "../base/stated-fields.js";
import type { Notation } from "./notation.js";
import type { Message, NamedArm, Protocol } from "./protocol.js";
import { eventsOf, requestsOf } from "./queries.js";

/**
 * Creates the table that the runtime uses to write a role's messages. Also returns the name of the
 * table's type.
 */
export function tableOf(
  protocol: Protocol,
  role: string,
  notation: Notation,
): readonly [type: string, value: object] {
  const isSent = ({ sender }: Message): boolean => sender === role || sender === "both";
  if (notation.kind === "command-line" || notation.kind === "command-options") {
    const commands = requestsOf(protocol).filter(isSent);
    const refuses = notation.kind === "command-line" ? notation.refuses : [];
    return [
      "CommandTable",
      statedFields({
        commands: Object.fromEntries(commands.map(({ name, spelling }) => [name, spelling])),
        refuses: refuses.length === 0 ? undefined : refuses,
      }),
    ];
  }
  const text = notation.kind === "xml-element" ? notation.text : undefined;
  const responses = notation.kind === "xml-document" ? notation.responses : undefined;
  const messages = eventsOf(protocol).filter((each) => isSent(each) && each.name !== text?.name);
  const results = requestsOf(protocol).flatMap(({ name, sender, result }) =>
    sender !== role && result?.type.kind === "reference" ? [[name, result.type.name]] : [],
  );
  return [
    "ElementTable",
    statedFields({
      messages: Object.fromEntries(
        messages.map(({ name, payload }) => [
          name,
          payload?.type.kind === "reference" ? payload.type.name : "",
        ]),
      ),
      text,
      spellings: notation.elements,
      responses: responses && { ...responses, results: Object.fromEntries(results) },
    }),
  ];
}

/**
 * Returns the runtime class that writes a role's messages, and the arguments that follow the table
 * in its constructor.
 */
export function creationOf(
  { envelope, framing }: Protocol,
  role: string,
  notation: Notation,
): readonly [className: string, ...options: readonly (string | object)[]] {
  const { request, event, response, id = "" } = envelope;
  const names = ({ name, payload }: NamedArm): object => ({ name, payload });
  switch (notation.kind) {
    case "command-line":
      return ["CommandNotation", names(request)];
    case "xml-element":
      return ["ElementNotation", names(event)];
    case "command-options":
      return ["OptionNotation", framing[role]!, { ...names(request), id, idOption: notation.id }];
    case "xml-document": {
      const { name = "", result = "", error = "" } = response ?? {};
      const fields = { name, payload: result, id: envelope.replyTo ?? "", error };
      return ["DocumentNotation", framing[role]!, names(event), fields];
    }
  }
}
