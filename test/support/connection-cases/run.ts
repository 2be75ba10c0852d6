/** Runs every case in this process, so that a rejection that nobody handles ends it. Prints how many ran. */
import { connectionCases } from "./index.js";
import { turn } from "../scripted-connection.js";

let count = 0;
for (const [topic, cases] of Object.entries(connectionCases)) {
  for (const { name, run } of cases) {
    if (process.env["TRACE"]) console.error(name);
    try {
      await run();
    } catch (error) {
      console.error(`${topic}: ${name}`);
      throw error;
    }
    count++;
  }
}
await turn();
console.log(`${count} cases`);
