import {
  languages,
  openSuite,
  runSuite,
  type CheckResult,
  type Language,
  type RunOptions,
  type SuiteOptions,
} from "../../../conformance/index.js";
import { fromRoot } from "../paths.js";
import { referenceAdapter, type ReferenceOptions } from "./reference-adapter.js";

/** The language of the reference adapter's programs, with the other properties of a language. */
export const stepsLanguage = (like = "python"): Language => ({
  ...languages().get(like)!,
  text: languages().get("python")!.text,
  extension: "steps",
  run: ["sleep", "60"],
  launch: { program: "${program}" },
});

/** Opens a suite for the reference adapter. */
export const referenceSuite = (
  language = stepsLanguage(),
  options: Partial<SuiteOptions> = {},
): ReturnType<typeof openSuite> =>
  openSuite({
    target: { open: () => referenceAdapter() },
    language: "own",
    own: { language, folder: fromRoot("test/fixtures/conformance") },
    timeoutMs: 4_000,
    ...options,
  });

/**
 * Runs cases with the reference adapter, and returns the results by check.
 *
 * @param adapterOf Returns the options of the adapter for the session with the given number,
 * counted from 1. The first session only reads the capabilities.
 */
export async function referenceResults(
  suite: Awaited<ReturnType<typeof referenceSuite>>,
  adapterOf: (session: number) => ReferenceOptions,
  options: RunOptions,
): Promise<ReadonlyMap<string, CheckResult>> {
  let sessions = 0;
  const open = () => referenceAdapter(adapterOf(++sessions));
  const { checks } = await runSuite({ ...suite, target: { open } }, options);
  return new Map(checks.map((each) => [each.check, each]));
}
