import type { CaseSession } from "../session/case-session.js";
import type { AnyMessage } from "../session/wire.js";
import type { Case } from "./case.js";

const memoryChecks = ["mem-01", "mem-08", "mem-03", "mem-09"];
const disassemblyChecks = ["mem-02", "mem-05", "mem-06", "mem-10", "mem-11"];

export const memoryCases: readonly Case[] = [
  {
    name: "memory",
    program: "data",
    checks: memoryChecks,
    async run(s) {
      const memoryReference = await referenceOf(s);
      if (memoryReference === undefined)
        return s.skip(memoryChecks, "no variable has a memoryReference");
      const read = (count: number, offset?: number): Promise<AnyMessage> =>
        s.announced("readMemory", { memoryReference, offset, count });
      const { data = "", unreadableBytes = 0 } = await read(4);
      const bytes = Buffer.from(String(data), "base64");
      s.verify("mem-01", bytes.length + unreadableBytes === 4, {
        expected: "4 bytes, including unreadableBytes",
        actual: { data, unreadableBytes },
      });
      if (bytes.length < 2) return s.skip(memoryChecks.slice(1), "the memory cannot be read");
      const base64 = (of: Uint8Array): string => Buffer.from(of).toString("base64");
      const { data: rest } = await read(bytes.length - 1, 1);
      s.verify("mem-08", rest === base64(bytes.subarray(1)), {
        expected: `${base64(bytes.subarray(1))}, the bytes from the second one`,
        actual: rest,
      });
      if (s.capabilities.supportsWriteMemoryRequest !== true)
        return s.skip(["mem-03", "mem-09"], "supportsWriteMemoryRequest is not announced");
      const write = async (of: Uint8Array, offset?: number): Promise<unknown> => {
        const data = base64(of);
        const args = { memoryReference, offset, data };
        await s.announced("writeMemory", args, "supportsWriteMemoryRequest");
        return (await read(bytes.length))["data"];
      };
      const changed = Uint8Array.from(bytes, (byte, index) => (index === 0 ? byte ^ 0x55 : byte));
      const first = await write(changed);
      s.verify("mem-03", first === base64(changed), {
        expected: `${base64(changed)}, which was written`,
        actual: first,
      });
      const again = Buffer.from(String(first), "base64");
      again[1]! ^= 0x55;
      const second = await write(again.subarray(1, 2), 1);
      s.verify("mem-09", second === base64(again), {
        expected: `${base64(again)}, with a new second byte`,
        actual: second,
      });
    },
  },
  {
    name: "disassemble",
    program: "calls",
    checks: disassemblyChecks,
    async run(s) {
      const { frame } = await s.startToFrame({ breakpoints: ["inner"] });
      const memoryReference = frame["instructionPointerReference"];
      if (memoryReference === undefined)
        return s.skip(disassemblyChecks, "frames have no instructionPointerReference");
      const disassemble = async (more: object): Promise<readonly AnyMessage[]> => {
        const args = { memoryReference, instructionCount: 12, ...more };
        const body = await s.announced("disassemble", args);
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
      const next = addressOf(instructions[1]?.["address"]);
      if (address === undefined || next === undefined)
        return s.skip(["mem-10", "mem-11"], "instructions have no address");
      for (const [check, more] of [
        ["mem-10", { offset: Number(next - address) }],
        ["mem-11", { instructionOffset: 1 }],
      ] as const) {
        const [first] = await disassemble(more);
        s.verify(check, addressOf(first?.["address"]) === next, {
          expected: `${instructions[1]!["address"]}, the address of the second instruction`,
          actual: first,
        });
      }
    },
  },
];

/** Returns a variable's memory reference, or undefined if no variable has one. */
async function referenceOf(s: CaseSession): Promise<string | undefined> {
  const { frame } = await s.startToFrame({
    initialize: { supportsMemoryReferences: true },
    breakpoints: ["data"],
  });
  const locals = await s.localsOf(frame);
  const withMemory = locals.filter(({ memoryReference }) => memoryReference !== undefined);
  const { text, number } = s.language.text;
  const best = withMemory.find(({ name }) => name === number || name === text) ?? withMemory[0];
  return best?.["memoryReference"];
}

function addressOf(text: unknown): bigint | undefined {
  return typeof text === "string" && /^(?:0x[\da-f]+|\d+)$/i.test(text) ? BigInt(text) : undefined;
}
