import type { AdapterScript, ScriptedAdapter } from "@wirewright/dap/testing";
import type { Message, ProgramRun } from "./program-run.js";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const refuse = (request: Message, adapter: ScriptedAdapter, text: string): undefined =>
  void adapter.refuse(request, text, { error: { id: 1, format: text } });

/** Returns handlers for requests that inspect a stopped program or change its values. */
export function stateRequests(run: ProgramRun, client: () => Message): AdapterScript {
  const { has } = run;
  const memory = Uint8Array.from({ length: 64 }, (_, index) => 7 + index);
  const cancelled = new Set<number>();
  const argumentsOf = (request: Message): Message => request["arguments"] ?? {};
  const base = (): number => (run.at + 1) * 1_000;
  const plain = (name: string, value: string): Message => ({
    name,
    value,
    variablesReference: 0,
  });
  const locals = (isHex: boolean): Message[] => [
    ...Object.entries(run.here?.variables ?? {}).map(([name, value]) => ({
      ...plain(name, isHex && name === "number" ? `0x${Number(value).toString(16)}` : value),
      evaluateName: name,
      ...(name === "number"
        ? {
            declarationLocationReference: 1,
            ...(client()["supportsMemoryReferences"] === true ? { memoryReference: "0x5000" } : {}),
          }
        : {}),
    })),
    ...(run.name === "data"
      ? [
          {
            ...plain("large", "array"),
            variablesReference: base() + 2,
            indexedVariables: 10_000,
            namedVariables: 1,
          },
          { ...plain("nested", "map"), variablesReference: base() + 3 },
          {
            ...plain("lazy", ""),
            variablesReference: base() + 6,
            presentationHint: { lazy: true },
          },
        ]
      : []),
  ];
  const members = (kind: number, { filter, start = 0, count = 0, format }: Message): Message[] => {
    if (kind === 1) return locals(format?.hex === true);
    if (kind === 2) {
      if (filter === "named") return [plain("length", "10000")];
      const stop = count === 0 ? 10_000 : Math.min(start + count, 10_000);
      return Array.from({ length: Math.max(stop - start, 0) }, (_, index) =>
        plain(String(start + index), String(start + index)),
      );
    }
    if (kind === 3) return [{ ...plain("a", "map"), variablesReference: base() + 4 }];
    if (kind === 4) return [{ ...plain("b", "array"), variablesReference: base() + 5 }];
    if (kind > 100) return [{ ...plain("n", String(kind - 101)), evaluateName: "n" }];
    if (kind === 5) return ["1", "2", "3"].map((value, index) => plain(String(index), value));
    return [plain("value", "1")];
  };
  /** Returns how far below the top a frame of the recursive function is. */
  const depthOf = (frameId: number | undefined): number | undefined =>
    run.here?.at !== "deep" ? undefined : frameId === undefined ? 0 : frameId - run.at * 1_000 - 1;
  const inFormat = (value: string | undefined, format: Message | undefined): string | undefined =>
    format?.["hex"] === true && value !== undefined ? `0x${Number(value).toString(16)}` : value;
  const assign = (name: string, value: string): void => {
    run.here!.variables[name] = value;
  };
  return {
    threads: () => ({
      threads: [1, ...(run.name === "threads" ? [2] : [])].map((id) => ({
        id,
        name: `thread ${id}`,
      })),
    }),
    stackTrace(request) {
      const { threadId, startFrame = 0, levels = 0 } = argumentsOf(request);
      const { at: name, stack } = run.here!;
      const isSecond = run.name === "threads" && threadId === 2;
      const all: Message[] = (isSecond ? ["waiting"] : stack).map((each, index) => ({
        id: run.at * 1_000 + index + (isSecond ? 500 : 1),
        name: each,
        line: run.lineOf(name),
        column: 1 - run.shift,
        source: run.source,
        instructionPointerReference: run.addressOf(name),
      }));
      const last = all.length;
      all.push({
        id: run.at * 1_000 + last + (isSecond ? 500 : 1),
        name: "start",
        line: 0,
        column: 0,
      });
      if (run.name === "data")
        all.splice(1, 0, {
          id: run.at * 1_000 + 900,
          name: "library",
          line: 1,
          column: 1,
          source: { name: "library", sourceReference: 1 },
        });
      const stop = levels === 0 ? all.length : startFrame + levels;
      return { stackFrames: all.slice(startFrame, stop), totalFrames: all.length };
    },
    source: () => ({ content: "text of the library" }),
    scopes(request) {
      const depth = depthOf(has("stk-15") ? undefined : argumentsOf(request)["frameId"]);
      const variablesReference = base() + (depth === undefined ? 1 : 101 + depth);
      return { scopes: [{ name: "Locals", variablesReference, expensive: false }] };
    },
    variables(request, self) {
      const { variablesReference, ...more } = argumentsOf(request);
      const kind = variablesReference - base();
      if ((kind >= 1 && kind <= 6) || (kind > 100 && kind < 200))
        return { variables: members(kind, more) };
      if (has("var-02")) return { variables: [plain("other", "0")] };
      return refuse(request, self, "the reference has expired");
    },
    locations: () => ({ source: run.source, line: 1 }),
    setVariable(request) {
      const { name, value } = argumentsOf(request);
      if (!has("var-05")) assign(name, value);
      return { value };
    },
    setExpression(request) {
      const { expression, value } = argumentsOf(request);
      if (!has("var-08")) assign(expression, value);
      return { value };
    },
    evaluate(request, self) {
      const { expression, context, frameId, format } = argumentsOf(request);
      // Wait before responding, so that a cancel request can arrive first.
      void pause(5).then(() => {
        if (cancelled.has(Number(request["seq"])))
          return has("cxl-01")
            ? undefined
            : refuse(request, self, has("cxl-03") ? "stopped" : "cancelled");
        const [name, value] = expression.split(" = ");
        if (value !== undefined && context === "hover" && has("evl-06")) assign(name, value);
        const depth = depthOf(has("evl-09") ? undefined : frameId);
        const result =
          expression === "n" && run.here?.at === "deep"
            ? String(depth ?? 0)
            : inFormat(run.value(expression), format);
        return result === undefined
          ? refuse(request, self, "this is not an expression")
          : self.answer(request, { result, variablesReference: 0 });
      });
      return undefined;
    },
    cancel(request, self) {
      cancelled.add(argumentsOf(request)["requestId"]);
      if (!has("cxl-02")) self.answer(request, {});
      return undefined;
    },
    completions: () => ({ targets: [{ label: "total", start: 1, length: 4 }] }),
    loadedSources: () => ({ sources: [run.source] }),
    modules(request) {
      const { startModule = 0, moduleCount = 0 } = argumentsOf(request);
      const all = [1, 2].map((id) => ({
        id,
        name: `module ${id}`,
        dateTimeStamp: "2026-01-01T00:00:00Z",
      }));
      const stop = moduleCount === 0 ? all.length : startModule + moduleCount;
      return { modules: all.slice(startModule, stop), totalModules: all.length };
    },
    exceptionInfo: () => ({ exceptionId: "Uncaught", breakMode: "always" }),
    readMemory(request) {
      const { offset = 0, count } = argumentsOf(request);
      const first = has("mem-08") ? 0 : offset;
      const data = Buffer.from(memory.subarray(first, first + count)).toString("base64");
      return { address: `0x${(0x5000 + first).toString(16)}`, data };
    },
    writeMemory(request) {
      const { offset = 0, data } = argumentsOf(request);
      const bytes = Buffer.from(data, "base64");
      // Each of the two mistakes concerns only one of the requests that the suite sends.
      if (!has(offset === 0 ? "mem-03" : "mem-09")) memory.set(bytes, offset);
      return { bytesWritten: bytes.length };
    },
    disassemble(request) {
      const {
        memoryReference,
        offset = 0,
        instructionOffset = 0,
        instructionCount,
      } = argumentsOf(request);
      const first =
        Number(memoryReference) +
        (has("mem-10") ? 0 : offset) +
        (has("mem-11") ? 0 : instructionOffset * 4);
      return {
        instructions: Array.from({ length: instructionCount }, (_, index) => ({
          address: `0x${(first + index * 4).toString(16)}`,
          instruction: "nop",
        })),
      };
    },
  };
}
