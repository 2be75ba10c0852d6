import type { AnswerPattern, CommandAnswers, Lanes } from "../../model/lanes.js";
import type { Protocol } from "../../model/protocol.js";
import { eventsOf } from "../../model/queries.js";
import type { DescribedAnswers, DescribedLanes } from "../description/description-types.js";
import { refuseDescription } from "../description/refuse-description.js";
import type { JsonFile } from "../source/json-text.js";

/** Reads the lanes of a protocol without ids, and how its commands are answered. */
export class LaneReading {
  readonly #file: JsonFile;
  readonly #events: ReadonlySet<string>;

  constructor(protocol: Protocol, file: JsonFile) {
    this.#file = file;
    this.#events = new Set(eventsOf(protocol).map(({ name }) => name));
  }

  answers(
    answered: DescribedAnswers,
    lanes: DescribedLanes | undefined,
    place: readonly string[],
  ): CommandAnswers {
    const { lane, by = [], failures = [], ...rest } = answered;
    if (lanes === undefined || !Object.hasOwn(lanes.lanes, lane))
      refuseDescription(this.#file, `Cannot find the lane "${lane}"`, [...place, "lane"]);
    this.#known(by, [...place, "by"]);
    this.#patterns(failures, [...place, "failures"]);
    return { lane, answers: by, failures, ...rest };
  }

  lanes(described: DescribedLanes): Lanes {
    const { stops = [], notes = [], breakdown, unknown } = described;
    this.#known(stops, ["lanes", "stops"]);
    this.#patterns(notes, ["lanes", "notes"]);
    this.#patterns(breakdown === undefined ? [] : [breakdown], ["lanes", "breakdown"]);
    const lane = unknown?.lane;
    if (unknown !== undefined && (lane === undefined || !Object.hasOwn(described.lanes, lane)))
      refuseDescription(
        this.#file,
        "Cannot match answers to unknown commands: the description does not define a lane for them",
        ["lanes", "unknown"],
      );
    return {
      lanes: Object.fromEntries(
        Object.entries(described.lanes).map(([name, { waits }]) => [name, { waits }]),
      ),
      stops,
      notes,
      ...(breakdown === undefined ? {} : { breakdown }),
      ...(unknown === undefined || lane === undefined ? {} : { unknown: { ...unknown, lane } }),
    };
  }

  #patterns(patterns: readonly AnswerPattern[], place: readonly string[]): void {
    this.#known(
      patterns.map(({ name }) => name),
      place,
    );
  }

  #known(names: readonly string[], place: readonly string[]): void {
    const missing = names.find((name) => !this.#events.has(name));
    if (missing !== undefined)
      refuseDescription(this.#file, `Cannot find the message "${missing}"`, place);
  }
}
