import { diffProtocols } from "../generator/index.js";
import { readSchema } from "../test/support/diff-sources.js";
import { Random } from "./random.js";
import { judgeChain } from "./schema-pairs/judge-chain.js";
const [from, to, show] = process.argv.slice(2).map(Number);
let pairs = 0,
  bad = 0,
  refused = 0;
const kinds = new Map<string, number>();
const ids = new Map<string, number>();
for (let seed = from!; seed < to!; seed++) {
  try {
    for await (const { before, after, contradictions } of judgeChain(new Random(seed), 20, {
      read: readSchema as never,
      diff: (a, b, reader) => {
        const d = diffProtocols(a, b, { reader });
        for (const f of d.findings) ids.set(f.id, (ids.get(f.id) ?? 0) + 1);
        return d;
      },
    })) {
      pairs++;
      if (contradictions.length === 0) continue;
      bad++;
      const c = contradictions[0]!;
      if (bad <= show!) {
        const defs = (x: any) => {
          const {
            ProtocolMessage,
            Request,
            Event,
            Response,
            ErrorResponse,
            PutRequest,
            PutResponse,
            ...rest
          } = x.definitions;
          return rest;
        };
        const b = defs(before),
          a = defs(after);
        console.log(`--- seed ${seed} pair ${pairs}`);
        for (const k of new Set([...Object.keys(b), ...Object.keys(a)])) {
          const [x, y] = [JSON.stringify(b[k]), JSON.stringify(a[k])];
          console.log(x === y ? `= ${k} ${x}` : `- ${k} ${x}\n+ ${k} ${y}`);
        }
        for (const c of contradictions.slice(0, 3))
          console.log(c.policy, c.pair, c.problem, JSON.stringify(c.payload));
      }
      const key = `${c.policy} ${c.problem.replaceAll(/\(.*?\)|".*?"|\b[A-Z]\w+\S*/g, "").slice(0, 90)}`;
      kinds.set(key, (kinds.get(key) ?? 0) + 1);
    }
  } catch (error) {
    refused++;
    if (refused <= 3) console.log("seed", seed, String((error as Error).stack).slice(0, 900));
  }
}
console.log({ pairs, bad, refused, cpu: process.cpuUsage().user / 1e6 });
console.log(
  [...kinds]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 25)
    .map(([k, n]) => `${n} ${k}`)
    .join("\n"),
);
console.log([...ids].map(([k, n]) => `${k} ${n}`).join(", "));
