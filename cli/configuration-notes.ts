import { visible } from "../generator/base/visible-text.js";
import { findingText, placeText } from "../launch/configuration-report.js";
import type { ConfigurationFinding } from "../launch/configuration-rules.js";

/** Maximum number of locations to list per warning. */
const shownPlaces = 3;

/** Prints warnings. Identical warnings share one line, which lists their locations. */
export function noteLines(notes: readonly ConfigurationFinding[]): readonly string[] {
  const groups = new Map<string, ConfigurationFinding[]>();
  for (const note of notes) {
    const text = findingText(note);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [note]);
    else group.push(note);
  }
  return [...groups].map(([text, [first, ...others]]) => {
    const line = `${placeText(first!)}: ${text}`;
    if (others.length === 0) return line;
    const more = others.slice(0, shownPlaces).map(({ place }) => visible(place.pointer ?? ""));
    const rest = others.length > shownPlaces ? ", …" : "";
    const places = others.length === 1 ? "location" : "locations";
    return `${line}\n  also at ${others.length} other ${places}: ${more.join(", ")}${rest}`;
  });
}
