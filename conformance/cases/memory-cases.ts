import type { CaseSession } from "../session/case-session.js";
import { framesOf, localsOf, startToStop } from "../session/drive.js";
import type { AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

export const memoryCases: readonly Case[] = [
  {
    name: "memory",
    program: "data",
    gate: "supportsReadMemoryRequest",
    checks: ["mem-01", "mem-03"],
    async run(s) {
      const memoryReference = await referenceOf(s);
      if (memoryReference === undefined) {
        for (const check of ["mem-01", "mem-03"])
          s.skip(check, "no variable has a memoryReference");
        return;
      }
      const read = (count: number): Promise<AnyMessage> =>
        s.announced("supportsReadMemoryRequest", "readMemory", { memoryReference, count });
      const { data = "", unreadableBytes = 0 } = await read(4);
      const bytes = Buffer.from(String(data), "base64");
      s.verify("mem-01", bytes.length + unreadableBytes === 4, {
        expected: "4 bytes, including unreadableBytes",
        actual: { data, unreadableBytes },
      });
      if (s.capabilities.supportsWriteMemoryRequest !== true)
        return s.skip("mem-03", "supportsWriteMemoryRequest is not announced");
      if (bytes.length === 0) return s.skip("mem-03", "the memory cannot be read");
      const changed = Buffer.from([bytes[0]! ^ 0x55, ...bytes.subarray(1)]).toString("base64");
      await s.announced("supportsWriteMemoryRequest", "writeMemory", {
        memoryReference,
        data: changed,
      });
      const { data: after } = await read(bytes.length);
      s.verify("mem-03", after === changed, {
        expected: `${changed}, which was written`,
        actual: after,
      });
    },
  },
  {
    name: "disassemble",
    program: "calls",
    gate: "supportsDisassembleRequest",
    checks: ["mem-02", "mem-05", "mem-06"],
    async run(s) {
      const { threadId } = await startToStop(s, { breakpoints: ["inner"] });
      const [frame] = await framesOf(s, threadId);
      const memoryReference = frame?.["instructionPointerReference"];
      if (memoryReference === undefined) {
        for (const check of ["mem-02", "mem-05", "mem-06"])
          s.skip(check, "frames have no instructionPointerReference");
        return;
      }
      const disassemble = async (more: object): Promise<readonly AnyMessage[]> => {
        const args = { memoryReference, instructionCount: 12, ...more };
        const body = await s.announced("supportsDisassembleRequest", "disassemble", args);
        return body["instructions"] ?? [];
      };
      const instructions = await disassemble({});
      s.verify("mem-02", instructions.length === 12, {
        expected: "12 instructions",
        actual: instructions.length,
      });
      const address = addressOf(instructions[0]?.["address"]);
      const wanted = addressOf(memoryReference);
      if (wanted === undefined) s.skip("mem-06", "the reference is not an address");
      else
        s.verify("mem-06", address === wanted, {
          expected: `the reference's address, ${memoryReference}`,
          actual: instructions[0],
        });
      const before = await disassemble({ instructionOffset: -4 });
      s.verify("mem-05", before.length === 12, {
        expected: "12 instructions, starting 4 before the reference",
        actual: before.length,
      });
    },
  },
];

/** Returns a variable's memory reference, or undefined if no variable has one. */
async function referenceOf(s: CaseSession): Promise<string | undefined> {
  const { threadId } = await startToStop(s, {
    initialize: { supportsMemoryReferences: true },
    breakpoints: ["data"],
  });
  const [frame] = await framesOf(s, threadId);
  const locals = await localsOf(s, frame!["id"]);
  const withMemory = locals.filter(({ memoryReference }) => memoryReference !== undefined);
  const { text, number } = s.language.text;
  const best = withMemory.find(({ name }) => name === number || name === text) ?? withMemory[0];
  return best?.["memoryReference"];
}

function addressOf(text: unknown): bigint | undefined {
  return typeof text === "string" && /^(?:0x[\da-f]+|\d+)$/i.test(text) ? BigInt(text) : undefined;
}
