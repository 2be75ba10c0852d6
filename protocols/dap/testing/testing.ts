import type { AdapterTarget } from "../session/session-options.js";
import { asyncDisposable } from "../session/async-disposable.js";
import { option } from "../../../generated/dap/runtime/index.js";
import { testClientChecks, type TestClientOptions } from "./test-client-options.js";
import { TestClientMembers, type TestClient } from "./test-client.js";

/**
 * Creates a client for tests of an adapter: a session with assertions. Their only time limit is
 * that of the test.
 *
 * @param target As for `launch` of `@wirewright/dap/session`.
 * @throws TypeError for unknown options.
 */
export function testClient(target: AdapterTarget, options: TestClientOptions = {}): TestClient {
  option.checkOptions("testClient", options, testClientChecks());
  const client = new TestClientMembers(target, options);
  return asyncDisposable(client, () => client.stop());
}
