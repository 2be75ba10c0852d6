import { readJson } from "./paths.js";

/**
 * Initial messages by package: one message of each kind, and messages with mistakes common in real
 * peers.
 */
const messages = readJson("test/fixtures/sample-messages.json") as Readonly<
  Record<string, readonly object[]>
>;

export function sampleMessages(name: string): readonly object[] {
  return messages[name] ?? [];
}
