import { countText } from "../../../generator/base/plural.js";
import { visible } from "../../../generator/base/visible-text.js";

/** A source of values in a log: those whose heads have the same shape. */
export interface LogSource {
  readonly shape: string;
  /** Number of messages. */
  readonly messages: number;
  /** The role that sent the messages. Undefined if both did, or if it is unknown. */
  readonly from?: string;
  /** Whether both roles sent some of the messages. */
  readonly isMixed?: true;
  /** Why that role is the sender, in words. */
  readonly evidence: string;
}

/** The contents of a log, and the meaning of its words. */
export interface LogSummary {
  /** Name of the program that wrote the log, if it needs special treatment. */
  readonly program?: string;
  /** Parts of messages that the program's logs omit. */
  readonly omits?: string;
  readonly messages: number;
  /**
   * Number of messages that were logged again with other words in front of them. They count as
   * other text. Absent if there are none.
   */
  readonly repetitions?: number;
  /** Number of messages that cannot be read to their end. */
  readonly damaged: number;
  /** Number of lines of other text. */
  readonly otherLines: number;
  /** Number of JSON values that are not messages of the protocol. */
  readonly otherValues: number;
  /** Why there are no messages, if there are none. */
  readonly doubt?: string;
  readonly sources: readonly LogSource[];
  /** Changes that were made to the text before it was read. */
  readonly remarks: readonly string[];
}

/** Maximum number of sources to print. */
const maxSources = 8;

/** Prints what a log contains, and how the words in it were understood. */
export function logTexts(log: LogSummary | undefined): readonly string[] {
  if (log === undefined) return [];
  const { program, omits, messages, repetitions = 0, damaged, otherLines, sources, remarks } = log;
  const counts = [
    countText(messages, "message"),
    ...(repetitions === 0 ? [] : [countText(repetitions, "repetition")]),
    `${damaged} damaged`,
    `${countText(otherLines, "line")} of other text`,
  ];
  const rest = sources.length - maxSources;
  return [
    `log${program === undefined ? "" : ` of ${program}`}: ${counts.join(", ")}${omits === undefined ? "" : `; it omits ${omits}`}`,
    ...remarks.map((remark) => visible(remark)),
    ...sources.slice(0, maxSources).map(({ shape, from, isMixed, evidence, messages: count }) => {
      const words = shape === "" ? "nothing" : JSON.stringify(shape);
      const sender =
        from !== undefined ? `the ${from}` : isMixed === true ? "both sides" : "unknown sender";
      return visible(
        `${words} before ${countText(count, "message")}: ${sender}${evidence === "" ? "" : ` (${evidence})`}`,
      );
    }),
    ...(rest > 0 ? [`… and ${rest} other words before messages`] : []),
  ];
}
