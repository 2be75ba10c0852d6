import { InputError, type InputPlace } from "../base/input-error.js";

/**
 * Creates the error for an unknown version, which suggests similar versions.
 *
 * @param known All known versions, oldest first.
 * @param title Display name of the protocol.
 */
export function unknownVersion(
  version: string,
  known: readonly string[],
  title: string,
  place: InputPlace = {},
): InputError {
  const text =
    known.length <= 8
      ? `Known versions: ${known.join(", ")}`
      : `Similar versions: ${nearVersions(version, known).join(", ")}; known: ${known.length} versions from ${known[0]} to ${known.at(-1)}`;
  return new InputError(
    "ERR_UNKNOWN_VERSION",
    `Cannot find version "${version}" of ${title}`,
    place,
    `${text}; or pass a schema file for that version`,
  );
}

/**
 * Selects the versions to suggest: the known versions that start with the given version or, if
 * there are none, the two versions before it and the two after it. If the given version is not a
 * number, selects the latest versions.
 */
function nearVersions(version: string, known: readonly string[]): readonly string[] {
  const number = version.replace(/^v(?=\d)/, "");
  const longer = known.filter((each) => `${each}.`.startsWith(`${number}.`));
  if (longer.length > 0) return longer.slice(-4);
  if (!/^\d+(\.\d+)*$/.test(number)) return known.slice(-4);
  const place = known.findIndex((each) => compareNumbers(each, number) > 0);
  return place < 0 ? known.slice(-2) : known.slice(Math.max(0, place - 2), place + 2);
}

function compareNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
