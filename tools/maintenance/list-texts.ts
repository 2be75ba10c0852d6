import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seeded } from "../../test/support/sample-values.js";
import { textsOf, type PlacedText, type TextKind } from "./texts.js";

const usage = `Usage: npm run texts -- [comments|messages|titles|prose …] [options] [--] [FOLDER …]

Prints every text that people read, one per line: file:line: text

  --match REGEXP  print only matching texts, ignoring case
  --count         print how many texts there are and how many match, instead of the texts
  --sample N      print N different random texts
  --seed N        seed for --sample (default 1): the same seed gives the same texts
`;

const kinds: ReadonlyMap<string, TextKind> = new Map([
  ["comments", "comment"],
  ["messages", "message"],
  ["titles", "title"],
  ["prose", "prose"],
]);

/** Files whose texts were not written for this project: copies, test cases and received data. */
const skipped =
  /^(?:generated|test\/(?:fixtures|golden|cases|seeds)|conformance\/(?:fixtures|results)|site\/protocol\/examples)\/|(?:^|\/)(?:package-lock|tsconfig)/;

/** Folders whose strings are not listed as messages, because users do not see them. */
const withoutMessages = /^(?:test|tools|examples)\//;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      match: { type: "string" },
      count: { type: "boolean" },
      sample: { type: "string" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return void process.stdout.write(usage);
  const wanted = new Set(positionals.flatMap((name) => kinds.get(name) ?? []));
  const folders = positionals.filter((name) => !kinds.has(name));
  const pattern = values.match === undefined ? undefined : new RegExp(values.match, "gi");
  const files = execFileSync("git", ["ls-files", "--", ...folders], { encoding: "utf8" })
    .split("\n")
    .filter((file) => file !== "" && !skipped.test(file));
  const found: { readonly file: string; readonly text: PlacedText }[] = [];
  let matches = 0;
  for (const file of files)
    for (const text of textsOf(file, readFileSync(file, "utf8"))) {
      if (wanted.size > 0 && !wanted.has(text.kind)) continue;
      if (text.kind === "message" && withoutMessages.test(file)) continue;
      const hits = pattern === undefined ? 1 : [...text.text.matchAll(pattern)].length;
      matches += hits;
      if (hits > 0) found.push({ file, text });
    }
  if (values.count === true) {
    process.stdout.write(`${found.length} texts, ${matches} matches\n`);
    return;
  }
  const next = seeded(Number(values.seed));
  const shown =
    values.sample === undefined
      ? found
      : [...new Map(found.map((each) => [each.text.text, each])).values()]
          .map((each) => ({ each, order: next() }))
          .sort((a, b) => a.order - b.order)
          .slice(0, Number(values.sample))
          .map(({ each }) => each);
  for (const { file, text } of shown)
    process.stdout.write(`${file}:${text.line}: ${text.text.replaceAll("\n", "\n    ")}\n`);
}

main();
