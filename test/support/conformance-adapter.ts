/**
 * A small adapter on standard streams, for testing the command. It accepts every request, even a
 * second `initialize`.
 */
import { scriptAdapter } from "@wirewright/dap/testing";

const adapter = scriptAdapter();
adapter.read(
  (bytes) => void process.stdout.write(bytes),
  () => process.exit(0),
);
process.stdin.on("data", (bytes) => void adapter.write(bytes)).on("end", () => process.exit(0));
