import { printJson } from "../../generator/print/json-text.js";

/** Combines the SARIF logs of several comparisons into one, with a run for each. */
export function joinSarif(logs: readonly string[]): string {
  const parsed = logs.map((log) => JSON.parse(log) as { readonly runs: readonly unknown[] });
  const head = parsed[0] ?? {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
  };
  return printJson({ ...head, runs: parsed.flatMap(({ runs }) => runs) });
}

/** Combines the JUnit documents of several comparisons into one, with a suite for each. */
export function joinJunit(documents: readonly string[]): string {
  const suites = documents.map((document) => {
    const start = document.indexOf("  <testsuite ");
    return document.slice(start, document.lastIndexOf("\n</testsuites>"));
  });
  const sum = (count: RegExp): number =>
    suites.reduce((total, suite) => total + Number(count.exec(suite)![1]), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${sum(/ tests="(\d+)"/)}" failures="${sum(/ failures="(\d+)"/)}">`,
    ...suites,
    "</testsuites>",
  ].join("\n");
}

/** Combines the annotations of several comparisons, dropping duplicates. */
export function joinAnnotations(lists: readonly string[]): string {
  return [...new Set(lists.flatMap((list) => list.split("\n")))].filter(Boolean).join("\n");
}
