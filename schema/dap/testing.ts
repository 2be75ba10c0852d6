import type { AdapterTarget } from "./session-options.js";
import { TestClientMembers, type TestClient, type TestClientOptions } from "./test-client.js";

export type { AnyMessage } from "./played-adapter.js";
export type { RecordedMessage, Recording } from "./recorded-exchanges.js";
export type { ExpectedStop, TestBreakpoint, TestClient, TestClientOptions } from "./test-client.js";

/**
 * Creates a client for tests of an adapter: a session with assertions. What they wait for has no
 * time limit but that of the test.
 *
 * @param target As for `launch` of `@wirewright/dap/session`.
 */
export function testClient(target: AdapterTarget, options: TestClientOptions = {}): TestClient {
  const client = new TestClientMembers(target, options);
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  if (asyncDispose !== undefined)
    Object.defineProperty(client, asyncDispose, { value: () => client.stop() });
  return client as TestClient;
}
