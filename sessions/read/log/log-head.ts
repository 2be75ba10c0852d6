/** The words in front of a value, and their meaning. */
export interface LogHead {
  /** The words, with `TIME` in place of each time. */
  readonly words: string;
  /** The words without what differs between messages: times, numbers and the message's name. */
  readonly shape: string;
  /** The words that may tell the direction, in a common notation: `right`, `from client`. */
  readonly mark: string;
  readonly time: LoggedTime | undefined;
}

/** A time in a log, in milliseconds. Times without a date are times of day, or since some moment. */
export interface LoggedTime {
  readonly kind: "date" | "day" | "seconds" | "milliseconds";
  readonly milliseconds: number;
}

const clock =
  /(?<date>\d{4}[-/]\d\d[-/]\d\d)[T ,]+(?<dated>\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?)(?: ?(?<zone>Z|UTC|[-+]\d\d:?\d\d))?|(?:\d{1,2}\/\d{1,2}\/\d{4},? )?\b(?<day>\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?)(?: ?(?<half>[AP])M| UTC)?|\b(?<seconds>1\d{9}\.\d{1,9}|\d{5}\.\d{3})\b/;

/** Returns the first time in a text. */
export function timeIn(text: string): LoggedTime | undefined {
  const { groups } = clock.exec(text) ?? {};
  if (groups === undefined) return undefined;
  const { date, dated = "", zone = "", day, half, seconds } = groups;
  if (seconds !== undefined) return { kind: "seconds", milliseconds: Number(seconds) * 1_000 };
  const time = (day ?? dated).replace(",", ".").replace(/^\d:/, "0$&");
  // Most logs without a time zone are in local time. UTC will do, because only the differences
  // between times matter.
  const offset = zone === "" || zone === "UTC" ? "Z" : zone.replace(/(\d\d)(\d\d)$/, "$1:$2");
  if (date !== undefined)
    return {
      kind: "date",
      milliseconds: Date.parse(`${date.replaceAll("/", "-")}T${time}${offset}`),
    };
  const [hour = 0, minutes = 0, rest = 0] = time.split(":").map(Number);
  const hours = half === undefined ? hour : (hour % 12) + (half === "P" ? 12 : 0);
  return { kind: "day", milliseconds: ((hours * 60 + minutes) * 60 + rest) * 1_000 };
}

/** Maximum length of a head. Of a longer one, the beginning and the end count. */
const maxHead = 240;

/**
 * Reads the words in front of a message.
 *
 * @param name The message's name, which the words may repeat.
 */
export function readHead(words: string, name?: string): LogHead {
  const text =
    words.length > maxHead ? `${words.slice(0, maxHead / 2)}…${words.slice(-maxHead / 2)}` : words;
  const time = timeIn(text);
  const timeless = text.replaceAll(new RegExp(clock, "g"), "TIME");
  const nameless =
    name === undefined || name.length < 3
      ? timeless
      : timeless.replaceAll(
          new RegExp(
            `(?<![a-z])${name.replaceAll(/\W/g, "\\$&")}(?:Request|Response|Event)?(?![a-z])`,
            "gi",
          ),
          "NAME",
        );
  const shape = nameless
    .replaceAll(/\b[\da-f]{8,}\b/gi, "0")
    .replaceAll(/\d+/g, "0")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { words: timeless, shape, mark: markOf(shape), time };
}

/** Words and arrows that may tell the direction of a message. */
const meanings: readonly (readonly [meaning: string, words: RegExp])[] = [
  ["right", /^(?:-*=*>+|[→⇒►▶])$/],
  ["left", /^(?:<+-*=*|[←⇐◄◀])$/],
  ["send", /^(?:sen[dt]|sends|sending|writ(?:e|es|ing|ten)|wrote|tx|outgoing)$/],
  ["receive", /^(?:re?cv|receive[ds]?|receiving|got|reads?|reading|rx|incoming)$/],
  ["from", /^from$/],
  ["to", /^to$/],
  ["client", /^(?:client|editor|ide)$/],
  ["server", /^(?:server|adapter|agent|backend)$/],
];
const token = /-{0,3}>{1,3}|<{1,3}-{0,3}|={1,2}>|<={1,2}|[→←⇒⇐►▶◄◀]|[A-Z]?[a-z]+(?!_)|[A-Z]+/g;

const opposites: Readonly<Record<string, string>> = {
  right: "left",
  left: "right",
  send: "receive",
  receive: "send",
  from: "to",
  to: "from",
  client: "server",
  server: "client",
};

/** Matches a tag, so that its brackets do not count as arrows. */
const tag = /<(\/?[a-z][^<>]*[^<>-])>/gi;

function markOf(shape: string): string {
  const marks: string[] = [];
  for (const [text] of shape.replaceAll(tag, " $1 ").matchAll(token)) {
    const mark = meanings.find(([, words]) => words.test(text.toLowerCase()))?.[0];
    if (mark !== undefined) marks.push(mark);
  }
  return marks.join(" ");
}

/** Returns whether two marks say the opposite, such as `from client` and `to client`. */
export function areOpposite(mark: string, other: string): boolean {
  const [words, others] = [mark.split(" "), other.split(" ")];
  return (
    mark !== other &&
    words.length === others.length &&
    words.every((word, index) => word === others[index] || opposites[word] === others[index])
  );
}
