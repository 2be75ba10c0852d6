import type { AdapterTarget } from "../session/session-options.js";
import { TestClientMembers, type TestClient, type TestClientOptions } from "./test-client.js";

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
