import { readFileSync } from "node:fs";
import { openProtocol } from "../../../generator/index.js";
import { judgeRecording } from "../../../generator/lint/judge-recording.js";
import type { LintFinding } from "../../../generator/lint/rules.js";
import { openRecording } from "../../../generator/session/recording.js";
import { bytesOfLines, timedRecordings, type RecordedLine } from "../../support/altered-recordings.js";
import { loggedSessions } from "../../support/logged-sessions.js";
import { shared } from "../../../tools/shared/paths.js";
const dap = await openProtocol("dap");
async function judge(...files: Uint8Array[]): Promise<readonly LintFinding[]> {
  const rec = await openRecording(files.map((b, i) => ({ name: `f${i}`, chunks: [b] })), dap);
  const report = await judgeRecording(rec, dap, { name: "x", profile: "wire", rules: dap.sessionRules, host: undefined, severities: new Map() });
  return report.findings.filter(({ severity }) => severity !== "info");
}
const step = Number(process.argv[2] ?? 10);
const keyOf = (l: RecordedLine, f: LintFinding) => `${f.rule} ${f.from} ${l?.offset} ${f.pointer} ${f.text.replace(/\d+ comes after \d+/, "")}`;
function table(name: string, found: readonly string[]) {
  const m = new Map<string, number>();
  for (const k of found) m.set(k, (m.get(k) ?? 0) + 1);
  console.log(name, found.length, [...m].map(([k, v]) => `${v}×${k}`).join(", "));
}
const plain = (ls: readonly RecordedLine[]) => ls.map(({ from, message }) => ({ from, message }));
for (const { name, lines } of timedRecordings) {
  const at = (f: LintFinding, ls: readonly RecordedLine[]) => ls[(f.line ?? 1) - 1]!;
  const whole = await judge(bytesOfLines(lines));
  table(`${name}: whole`, whole.map((f) => f.rule));
  if (process.argv[3] === "show") for (const f of whole) console.log("   ", f.severity, f.rule, `#${f.index}`, f.label, f.pointer, f.text);
  const truth = new Set(whole.map((f) => keyOf(at(f, lines), f)));
  const extra = (fs: readonly LintFinding[], ls: readonly RecordedLine[]) => fs.filter((f) => !truth.has(keyOf(at(f, ls), f)));
  for (const [kind, cut] of [["start", (k: number) => lines.slice(k)], ["end", (k: number) => lines.slice(0, k)], ["plain start", (k: number) => lines.slice(k)]] as const) {
    const bad: string[] = [];
    for (let k = 1; k < lines.length; k += step) {
      const ls = cut(k);
      bad.push(...extra(await judge(bytesOfLines(kind === "plain start" ? plain(ls) : ls)), ls).map((f) => f.rule));
    }
    table(`   cut ${kind}`, bad);
  }
  for (const side of ["client", "adapter"]) {
    const ls = lines.filter((l) => l.from === side);
    table(`   only ${side}`, extra(await judge(bytesOfLines(ls)), ls).map((f) => f.rule));
  }
  table("   no times", extra(await judge(bytesOfLines(plain(lines))), lines).map((f) => f.rule));
  const twice = [...lines, ...lines];
  table("   twice", extra(await judge(bytesOfLines(twice)), twice).map((f) => f.rule));
  const inter = lines.flatMap((l) => [l, l]);
  table("   interleaved with itself", extra(await judge(bytesOfLines(inter)), inter).map((f) => f.rule));
  const [c, a] = ["client", "adapter"].map((s) => lines.filter((l) => l.from === s));
  const two = await judge(bytesOfLines(c!.map((l) => l.message).map((message) => ({ message }))), bytesOfLines(a!.map((l) => l.message).map((message) => ({ message }))));
  table("   two files", two.filter((f) => !truth.has(keyOf((f.from === "client" ? c! : a!)[(f.line ?? 1) - 1]!, f))).map((f) => f.rule));
}
const all = timedRecordings;
for (let i = 0; i + 1 < all.length; i++) {
  const [x, y] = [all[i]!, all[i + 1]!];
  const mixed: RecordedLine[] = [];
  for (let k = 0; k < Math.max(x.lines.length, y.lines.length); k++) mixed.push(...x.lines.slice(k, k + 1), ...y.lines.slice(k, k + 1));
  const truth = new Set<string>();
  for (const r of [x, y]) for (const f of await judge(bytesOfLines(r.lines))) truth.add(keyOf(r.lines[f.line! - 1]!, f));
  for (const [n, ls] of [["mixed", mixed], ["appended", [...x.lines, ...y.lines]], ["appended cut", [...x.lines.slice(0, x.lines.length >> 1), ...y.lines]]] as const)
    table(`${n} ${x.name} + ${y.name}`, (await judge(bytesOfLines(ls))).filter((f) => !truth.has(keyOf(ls[f.line! - 1]!, f))).map((f) => f.rule));
}
for (const { name, file } of loggedSessions) {
  const log = readFileSync(shared(`logs/${name}/${file}`)!);
  const truth = timedRecordings.find((r) => r.name === `wire of ${name}`)!;
  const wire = await judge(bytesOfLines(truth.lines));
  const own = await judge(log);
  table(`LOG ${name}: wire`, wire.map((f) => f.rule));
  table(`   log`, own.map((f) => f.rule));
  if (process.argv[3] === "show") for (const f of own) console.log("   ", f.severity, f.rule, `#${f.index}`, f.label, f.pointer, f.text);
  table(`   log twice`, (await judge(Buffer.concat([log, log]))).map((f) => f.rule));
}
