import type { AdapterTarget } from "../session/session-options.js";
import { asyncDisposable } from "../session/async-disposable.js";
import { option } from "../../../generated/dap/runtime/index.js";
import { testClientChecks, type TestClientOptions } from "./test-client-options.js";
import { TestClientMembers, type TestClient } from "./test-client.js";

/**
 * Creates a client for testing an adapter: a session with assertions. The only timeout is the
 * test's.
 *
 * @param target An adapter, as for `launch` in `@wirewright/dap/session`.
 * @throws TypeError for unknown options.
 */
export function testClient(target: AdapterTarget, options: TestClientOptions = {}): TestClient {
  option.checkOptions("testClient", options, testClientChecks());
  const client = new TestClientMembers(target, options);
  return asyncDisposable(client, () => client.stop());
}
