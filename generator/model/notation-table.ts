import type { ElementNotation, Notation } from "./notation.js";
import type { Message, Protocol } from "./protocol.js";
import { eventsOf, requestsOf } from "./queries.js";

/** The table from which the runtime spells the messages of a role, and the name of its type. */
export function tableOf(
  protocol: Protocol,
  role: string,
  notation: Notation,
): readonly [type: string, value: object] {
  const isSent = ({ sender }: Message): boolean => sender === role || sender === "both";
  if (notation.kind === "command-line") {
    const commands = requestsOf(protocol).filter(isSent);
    const { refuses } = notation;
    return [
      "CommandTable",
      {
        commands: Object.fromEntries(commands.map(({ name, spelling }) => [name, spelling])),
        ...(refuses.length === 0 ? {} : { refuses }),
      },
    ];
  }
  return ["ElementTable", elementTable(protocol, isSent, notation)];
}

function elementTable(
  protocol: Protocol,
  isSent: (message: Message) => boolean,
  { text, elements }: ElementNotation,
): object {
  const messages = eventsOf(protocol).filter((each) => isSent(each) && each.name !== text?.name);
  return {
    messages: Object.fromEntries(
      messages.map(({ name, payload }) => [
        name,
        payload?.type.kind === "reference" ? payload.type.name : "",
      ]),
    ),
    ...(text === undefined ? {} : { text }),
    spellings: elements,
  };
}
