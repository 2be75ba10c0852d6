import { join } from "node:path";
import type { ProtocolDiff } from "../../../generator/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import type { Type } from "../../../generator/model/types.js";
import type { Finding } from "../../../generator/diff/finding.js";
import { compilers, withFolder, writeFiles } from "../../shared/compile.js";
import { spawnSync } from "node:child_process";
import type { Random } from "../random.js";
import { readingProgram, writingProgram, type Named } from "./consumer-programs.js";
import { nearest, type EditedPart } from "./judge-edit.js";
import { sharedDefinitions, type SmallProtocol } from "./small-protocol.js";

/** The generator, as far as compilers judge it. */
export interface CodeJudged {
  /** The code of a package with its types only. */
  readonly emitTypes: (protocol: Protocol) => Promise<ReadonlyMap<string, string>>;
  readonly diff: (before: Protocol, after: Protocol) => ProtocolDiff;
}

/** Something that a comparison says of code and the compiler does not, or the reverse. */
export interface CodeContradiction {
  /** Index of the edit. */
  readonly edit: number;
  readonly role: string;
  readonly problem: string;
  readonly errors: readonly string[];
  readonly program: string;
}

/** Programs of an edit, which the compiler is asked about together with those of others. */
interface Programs {
  readonly diff: ProtocolDiff;
  readonly files: Readonly<Record<string, string>>;
  /** Programs by role: the reader's and the writer's. */
  readonly byRole: Readonly<Record<string, string>>;
}

/** Judges edits by the compiler: old programs with the types of both versions, and the examples of findings. */
export async function judgeCode(
  random: Random,
  edits: readonly EditedPart[],
  judged: CodeJudged,
): Promise<readonly CodeContradiction[]> {
  const programs = await Promise.all(edits.map((edit) => programsOf(random, edit, judged)));
  return withFolder((folder) => {
    const all = Object.fromEntries(
      programs.flatMap(({ files }, index) =>
        Object.entries(files).map(([path, text]) => [`e${index}/${path}`, text]),
      ),
    );
    writeFiles(folder, all);
    const roots = Object.keys(all).filter((path) => /^e\d+\/(old|new)-/.test(path));
    writeFiles(folder, {
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, target: "es2022", module: "nodenext", types: [] },
          skipLibCheck: true,
        },
        files: roots,
      }),
      "package.json": '{ "type": "module" }',
    });
    const errors = compile(folder);
    return programs.flatMap((each, index) => judge(each, index, errors));
  });
}

function compile(folder: string): ReadonlyMap<string, readonly string[]> {
  const { stdout } = spawnSync(
    process.execPath,
    [compilers["TypeScript 7"], "-p", join(folder, "tsconfig.json"), "--pretty", "false"],
    { encoding: "utf8", cwd: folder, maxBuffer: 1 << 28 },
  );
  const errors = new Map<string, string[]>();
  for (const line of stdout.split("\n")) {
    const [, file = ""] = /^(e\d+\/[^(]+)\(/.exec(line) ?? [];
    if (file !== "") errors.set(file, [...(errors.get(file) ?? []), line]);
  }
  return errors;
}

async function programsOf(
  random: Random,
  { before, after }: EditedPart,
  { emitTypes, diff: compare }: CodeJudged,
): Promise<Programs> {
  const [old, now] = await Promise.all([before, after].map(({ protocol }) => emitTypes(protocol)));
  const diff = compare(before.protocol, after.protocol);
  const { sender } = before.protocol.messages[0]!;
  const receiver = before.protocol.roles.find((role) => role !== sender)!;
  const named: Named = new Map([
    ["Payload", before.payload],
    ...sharedNames(before, after).map((name): [string, Type] => [
      name,
      { kind: "reference", name },
    ]),
  ]);
  const programs = {
    [receiver]: readingProgram(before.protocol, named),
    [sender]: writingProgram(random, before.protocol, named),
  };
  const examples = diff.findings.flatMap(({ code }) => code.map(({ text }) => text));
  const within = (folder: string, files: ReadonlyMap<string, string>): object =>
    Object.fromEntries([...files].map(([path, text]) => [`${folder}/${path}`, text]));
  const programFiles = (["old", "new"] as const).flatMap((version) => [
    ...Object.entries(programs).map(([role, text]) => [
      `${version}-${role}.ts`,
      `import type { ${[`${nameOf(version === "old" ? before : after)} as Payload`, ...sharedNames(before, after)].join(", ")} } from "./${version}/types.js";\n${text}`,
    ]),
    ...examples.map((text, index) => [
      `${version}-example${index}.ts`,
      text.replace(/ from "[^"]+";/, ` from "./${version}/types.js";`),
    ]),
  ]);
  return {
    diff,
    files: { ...within("old", old!), ...within("new", now!), ...Object.fromEntries(programFiles) },
    byRole: programs,
  };
}

/** The nearest definitions, as far as both versions have them. */
function sharedNames(
  { reached, protocol }: SmallProtocol,
  after: SmallProtocol,
): readonly string[] {
  const [old, now] = [protocol, after.protocol].map(
    ({ definitions }) => new Set(definitions.map(({ name }) => name)),
  );
  const others = sharedDefinitions(after.protocol);
  return reached
    .slice(0, nearest)
    .filter((name) => old!.has(name) && now!.has(name) && !others.has(name));
}

function nameOf({ payload }: SmallProtocol): string {
  return payload.kind === "reference" ? payload.name : "";
}

function judge(
  { diff, byRole, files }: Programs,
  edit: number,
  errors: ReadonlyMap<string, readonly string[]>,
): readonly CodeContradiction[] {
  const errorsOf = (file: string): readonly string[] => errors.get(`e${edit}/${file}`) ?? [];
  const { findings } = diff;
  const contradictions: CodeContradiction[] = [];
  const report = (role: string, problem: string, file: string): void => {
    contradictions.push({
      edit,
      role,
      problem,
      errors: errorsOf(file),
      program: files[file] ?? "",
    });
  };
  for (const role of Object.keys(byRole)) {
    const [old, now] = [`old-${role}.ts`, `new-${role}.ts`];
    if (errorsOf(old).length > 0) {
      report(role, "the program does not compile with the old types", old);
      continue;
    }
    const broken = findings.filter(({ source }) => source[role]?.compiles === false);
    const fails = errorsOf(now).length > 0;
    if (fails && broken.length === 0)
      report(role, `says that code compiles: ${list(findings)}`, now);
    const surely = broken.filter(
      (finding) => finding.source[role]?.when !== "whole-value" && !mayCompile(finding),
    );
    if (!fails && surely.length > 0) report(role, `says that code breaks: ${list(surely)}`, now);
  }
  const examples = findings.flatMap((finding) =>
    finding.code.map((example) => ({ finding, ...example })),
  );
  for (const [index, { finding, role }] of examples.entries()) {
    const [old, now] = [`old-example${index}.ts`, `new-example${index}.ts`];
    if (errorsOf(old).length > 0)
      report(role, `the example of ${list([finding])} does not compile with the old types`, old);
    else if (errorsOf(now).length === 0)
      report(role, `the example of ${list([finding])} compiles with the new types`, now);
  }
  return contradictions;
}

/**
 * Whether code may compile by chance: an object without properties has nothing to read, the values
 * of a dictionary may have the type that code expects, and programs do not name alternatives that
 * no value distinguishes.
 */
function mayCompile({ id, message: change }: Finding): boolean {
  // Examples show code that reads a removed property; an object without properties accepts all of
  // them.
  return (
    /^(union\.untagged-removed|prop\.removed-)/.test(id) ||
    /^object(\[\])* →|\bmap of\b/.test(change)
  );
}

function list(findings: readonly Finding[]): string {
  return (
    findings.map(({ id, at, message: change }) => `${id} ${at} (${change})`).join("; ") || "nothing"
  );
}
