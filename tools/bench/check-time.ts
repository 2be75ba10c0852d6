import { join } from "node:path";
import { writeFileSync } from "node:fs";
import ts from "@typescript/typescript6";
import { processorTime } from "./measure.js";

/**
 * Measures the processor time for type-checking each program in a folder, in nanoseconds per round.
 * The compiler stays in memory and keeps its library files, so little more than the program's own
 * files is measured.
 */
export function measureChecks(
  folder: string,
  programs: readonly string[],
  rounds: number,
): readonly (readonly number[])[] {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const library = new Map<string, ReturnType<typeof read>>();
  host.getCurrentDirectory = () => folder;
  host.getSourceFile = (name, ...rest) => {
    if (!/[\\/]lib\.[\w.]+\.d\.ts$/.test(name)) return read(name, ...rest);
    if (!library.has(name)) library.set(name, read(name, ...rest));
    return library.get(name);
  };
  const file = join(folder, "type.ts");
  const check = (text: string): number => {
    writeFileSync(file, text);
    const start = processorTime();
    const [fault] = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
    if (fault !== undefined)
      throw new Error(ts.flattenDiagnosticMessageText(fault.messageText, "\n"));
    return processorTime() - start;
  };
  // During the first rounds, the engine is still compiling the compiler itself.
  for (let round = 0; round < 5; round++) programs.forEach(check);
  return Array.from({ length: rounds }, () => programs.map(check));
}
