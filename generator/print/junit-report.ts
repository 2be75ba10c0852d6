import { xml } from "./html-text.js";

/** A suite of test cases, each of which may fail. */
interface JunitSuite {
  readonly name: string;
  readonly cases: readonly {
    readonly rule: string;
    readonly name: string;
    readonly failure?:
      { readonly type: string; readonly message: string; readonly text: string } | undefined;
  }[];
}

/** Prints JUnit XML. */
export function printJunit(suites: readonly JunitSuite[]): string {
  const counts = (some: readonly JunitSuite[]): string => {
    const cases = some.flatMap((suite) => suite.cases);
    const failures = cases.filter(({ failure }) => failure !== undefined);
    return `tests="${cases.length}" failures="${failures.length}"`;
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts(suites)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${xml(suite.name)}" ${counts([suite])}>`,
      ...suite.cases.map(({ rule, name, failure }) => {
        const head = `    <testcase classname="${xml(rule)}" name="${xml(name)}"`;
        return failure === undefined
          ? `${head}/>`
          : `${head}>\n      <failure type="${xml(failure.type)}" message="${xml(failure.message)}">${xml(failure.text)}</failure>\n    </testcase>`;
      }),
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n");
}
