import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ProtocolDiff } from "../../../cli/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Type } from "../../../generator/model/types.js";
import type { Finding } from "../../../diff/finding.js";
import { compilers, withFolder, writeFiles } from "../compile.js";
import { fromRoot } from "../paths.js";
import type { Random } from "../random.js";
import {
  messagingProgram,
  readingProgram,
  writingProgram,
  type Named,
} from "./consumer-programs.js";
import { runtimeTypes, typeModulesOf } from "./emit-types.js";
import { nearest, type EditedPart } from "./judge-edit.js";
import { sharedDefinitions, type SmallProtocol } from "./small-protocol.js";

/** Compares two versions of a protocol. */
export type Compare = (before: Protocol, after: Protocol) => ProtocolDiff;

/** A contradiction between a comparison and the compiler. */
export interface CodeContradiction {
  readonly edit: number;
  readonly role: string;
  readonly problem: string;
  readonly errors: readonly string[];
  readonly program: string;
}

/** The programs for one edit. The compiler checks the programs for several edits at once. */
interface Programs {
  readonly diff: ProtocolDiff;
  /** Programs by role. */
  readonly byRole: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
  /** Old types that have no properties, written as in findings. */
  readonly free: ReadonlySet<string>;
  /**
   * Definitions that programs do not refer to by name: those that all messages contain, and renamed
   * ones.
   */
  readonly unnamed: ReadonlySet<string>;
}

/** Example code for a finding, which must compile with the old types and no others. */
interface Example {
  readonly finding: Finding;
  readonly role: string;
  readonly text: string;
}

/**
 * Checks the findings of `diff` against the compiler: compiles old programs with the new types, and
 * the findings' examples with both. Compiles programs with the old types only if the result depends
 * on it.
 */
export async function judgeCode(
  random: Random,
  edits: readonly EditedPart[],
  compare: Compare,
): Promise<readonly CodeContradiction[]> {
  const programs = edits.map((edit) => programsOf(random, edit, compare));
  return withFolder((folder) => {
    writeFiles(folder, {
      "runtime.ts": readFileSync(fromRoot(runtimeTypes), "utf8"),
      "package.json": '{ "type": "module" }',
    });
    const run = (version: Version, isAsked: (edit: number, role: string) => boolean): Errors => {
      const files = programs.flatMap((each, index) => {
        const named = `${version}${index}`;
        const roles = Object.entries(each.byRole).filter(([role]) => isAsked(index, role));
        const own = [
          ...roles.map(([role, text]): [string, string] => [`${named}/${role}.ts`, text]),
          ...each.examples.map(({ text }, at): [string, string] => [
            `${named}/example${at}.ts`,
            text,
          ]),
        ];
        if (own.length === 0) return [];
        const { protocol } = edits[index]![version === "old" ? "before" : "after"];
        const { types, messages } = typeModulesOf(protocol);
        writeFiles(folder, {
          [`${named}/of/types.ts`]: types,
          [`${named}/of/messages.ts`]: messages,
        });
        return own.map(([path, text]): [string, string] => [
          path,
          text.replaceAll("PAYLOAD", nameOf(edits[index]![version === "old" ? "before" : "after"])),
        ]);
      });
      writeFiles(folder, new Map(files));
      return compile(
        folder,
        version,
        files.map(([path]) => path),
      );
    };
    const now = run("new", () => true);
    const suspects = programs.map((each, index) => contradicted(each, index, now));
    const old = run("old", (edit, role) => edit % sampled === 0 || suspects[edit]!.has(role));
    return programs.flatMap((each, index) => judge(each, index, old, now, suspects[index]!));
  });
}

/** One edit in every `sampled` is also compiled with the old types. */
const sampled = 20;

type Version = "old" | "new";

/** The compiler's errors by file. */
type Errors = ReadonlyMap<string, readonly string[]>;

function compile(folder: string, name: string, files: readonly string[]): Errors {
  const config = `${name}.json`;
  writeFiles(folder, {
    [config]: JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: "es2022",
        lib: ["es2022"],
        types: [],
        module: "nodenext",
        skipLibCheck: true,
      },
      files,
    }),
  });
  const { stdout } = spawnSync(
    process.execPath,
    [compilers["TypeScript 7"], "-p", config, "--pretty", "false", "--singleThreaded"],
    { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28 },
  );
  const errors = new Map<string, string[]>();
  for (const line of stdout.split("\n")) {
    const [, file = ""] = /^((?:old|new)\d+\/[^(]+)\(/.exec(line) ?? [];
    if (file !== "") errors.set(file, [...(errors.get(file) ?? []), line]);
  }
  return errors;
}

function programsOf(random: Random, { before, after }: EditedPart, compare: Compare): Programs {
  const diff = compare(before.protocol, after.protocol);
  const { roles, messages } = before.protocol;
  const [message] = messages;
  const shared = sharedNames(before, after);
  const named: Named = new Map([
    ["Payload", before.payload],
    ...shared.map((name): [string, Type] => [name, { kind: "reference", name }]),
  ]);
  const sends = (role: string): boolean => [role, "both"].includes(message!.sender);
  const isFlipped = message!.sender !== after.protocol.messages[0]!.sender;
  const start = `import type { ${["PAYLOAD as Payload", ...shared].join(", ")} } from "./of/types.js";\n`;
  const programOf = (role: string): string =>
    [
      start,
      ...(roles.some((other) => other !== role && sends(other))
        ? [readingProgram(before.protocol, named)]
        : []),
      ...(sends(role) ? [writingProgram(random, before.protocol, named)] : []),
      ...(isFlipped ? [messagingProgram(before.protocol, role)] : []),
    ].join("");
  return {
    diff,
    free: new Set([
      "object",
      ...before.protocol.definitions.flatMap(({ name, type }) =>
        type.kind === "object" && type.properties.length + type.bases.length === 0 ? [name] : [],
      ),
    ]),
    unnamed: new Set([...sharedDefinitions(after.protocol), ...renamedBeside(before, after)]),
    byRole: Object.fromEntries(roles.map((role) => [role, programOf(role)])),
    examples: diff.findings.flatMap((finding) =>
      finding.code.map(({ role, text }) => ({
        finding,
        role,
        text: text.replace(/ from "[^"]+";/, ' from "./of/types.js";'),
      })),
    ),
  };
}

/**
 * Returns the names of the definitions that are closest to the payload and exist in both versions.
 */
function sharedNames(before: SmallProtocol, after: SmallProtocol): readonly string[] {
  const [old, now] = [before.protocol, after.protocol].map(
    ({ definitions }) => new Set(definitions.map(({ name }) => name)),
  );
  const others = new Set(sharedDefinitions(after.protocol));
  // Exclude the payload, because programs read it directly.
  if (nameOf(after) === nameOf(before)) others.add(nameOf(after));
  return before.reached
    .slice(0, nearest)
    .filter((name) => old!.has(name) && now!.has(name) && !others.has(name));
}

/**
 * Returns the new names of definitions. The payload's is omitted, because programs import the
 * payload under a fixed name.
 */
function renamedBeside(before: SmallProtocol, after: SmallProtocol): readonly string[] {
  const old = new Set(before.protocol.definitions.map(({ name }) => name));
  return after.protocol.definitions
    .map(({ name }) => name)
    .filter((name) => !old.has(name) && name !== nameOf(after));
}

function nameOf({ payload }: SmallProtocol): string {
  return payload.kind === "reference" ? payload.name : "";
}

/** Returns the contradictions by role, provided that the program compiles with the old types. */
function contradicted(
  { diff: { findings }, byRole, examples, free, unnamed }: Programs,
  edit: number,
  errors: Errors,
): ReadonlyMap<string, string> {
  // Programs build only some values, so a finding also counts as correct if its example fails to
  // compile.
  const isShown = (finding: Finding, role: string): boolean =>
    examples.some(
      (each, index) =>
        each.finding === finding &&
        each.role === role &&
        errors.has(`new${edit}/example${index}.ts`),
    );
  return new Map(
    Object.keys(byRole).flatMap((role): (readonly [string, string])[] => {
      const broken = findings.filter(({ source }) => source[role]?.compiles === false);
      const fails = errors.has(`new${edit}/${role}.ts`);
      if (fails && broken.length === 0) {
        // Programs compare with removed values, which findings report as cases in an exhaustive
        // switch.
        const isCase = errors
          .get(`new${edit}/${role}.ts`)!
          .every((line) => line.includes("TS2367"));
        if (isCase && findings.some(({ source }) => source[role]?.exhaustive === true)) return [];
        return [[role, `says that code compiles: ${list(findings)}`]];
      }
      const surely = broken.filter(
        (finding) =>
          finding.source[role]?.when !== "whole-value" &&
          !unnamed.has(finding.owner) &&
          !isShown(finding, role) &&
          !mayCompile(finding, role, free),
      );
      return fails || surely.length === 0 ? [] : [[role, `says that code breaks: ${list(surely)}`]];
    }),
  );
}

function judge(
  { byRole, examples }: Programs,
  edit: number,
  old: Errors,
  now: Errors,
  problems: ReadonlyMap<string, string>,
): readonly CodeContradiction[] {
  const found = (
    role: string,
    problem: string,
    file: string,
    program: string,
  ): CodeContradiction => ({
    edit,
    role,
    problem,
    program,
    errors: [...(old.get(`old${file}`) ?? []), ...(now.get(`new${file}`) ?? [])],
  });
  return [
    ...Object.entries(byRole).flatMap(([role, program]) => {
      const file = `${edit}/${role}.ts`;
      const problem = old.has(`old${file}`)
        ? "the program does not compile with the old types"
        : problems.get(role);
      return problem === undefined ? [] : [found(role, problem, file, program)];
    }),
    ...examples.flatMap(({ finding, role, text }, index) => {
      const file = `${edit}/example${index}.ts`;
      const subject = `the example of ${list([finding])}`;
      if (old.has(`old${file}`))
        return [found(role, `${subject} does not compile with the old types`, file, text)];
      return now.has(`new${file}`)
        ? []
        : [found(role, `${subject} compiles with the new types`, file, text)];
    }),
  ];
}

/**
 * Returns whether code may compile by accident, for one of these reasons:
 * - An object without properties has nothing to read.
 * - The values of a dictionary may happen to have the type that the code expects.
 * - Programs read only the first two items of an array.
 * - Programs do not name alternatives that no value can tell apart.
 */
function mayCompile(
  { rule, at, message: change, source }: Finding,
  role: string,
  free: ReadonlySet<string>,
): boolean {
  // An example may read a removed property, but an object without properties accepts any property.
  // An object whose optional property was renamed still matches the old type.
  return (
    /^(union\.untagged-removed|prop\.(removed-|renamed-optional))/.test(rule) ||
    (rule.startsWith("type.") && source[role]?.error === "removed") ||
    free.has(/^(\w+)(?:\[\])* →/.exec(change)?.[1] ?? "") ||
    /\bmap of\b|\[\] → \[[^\]]*,[^\]]*,/.test(change) ||
    (at.endsWith("{}") && change.startsWith("any value →"))
  );
}

function list(findings: readonly Finding[]): string {
  return (
    findings.map(({ rule, at, message: change }) => `${rule} ${at} (${change})`).join("; ") ||
    "nothing"
  );
}
