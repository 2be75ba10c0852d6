/**
 * Runs every case in this process, so that an unhandled rejection ends it. Prints a line for each
 * case that passes.
 */
import { setTimeout as delay } from "node:timers/promises";
import { turn } from "../scripted-connection.js";
import { connectionCases } from "./index.js";

for (const [topic, cases] of Object.entries(connectionCases)) {
  for (const { name, run } of cases) {
    try {
      const isLate = delay(60_000, "it takes more than a minute", { ref: false });
      const problem = await Promise.race([run(), isLate]);
      if (problem !== undefined) throw new Error(problem);
      console.log(`${topic}: ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`${topic}: ${name}`, error);
    }
  }
}
await turn();
