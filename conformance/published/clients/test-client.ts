import { DebugClient } from "@vscode/debugadapter-testsupport";

/**
 * Runs the client of `@vscode/debugadapter-testsupport`, which configures the adapter in its own
 * order.
 */
export async function runTestClient(port: number): Promise<void> {
  const client = new DebugClient("node", "", "conformance");
  client.defaultTimeout = 8_000;
  await client.start(port);
  const over = client.waitForEvent("terminated", 15_000);
  over.catch(() => undefined);
  client.on("stopped", (event: { body: { threadId: number } }) => {
    const { threadId } = event.body;
    void client
      .threadsRequest()
      .then(() => client.stackTraceRequest({ threadId }))
      .then(({ body }) => client.scopesRequest({ frameId: body.stackFrames[0]!.id }))
      .then(({ body }) =>
        client.variablesRequest({ variablesReference: body.scopes[0]!.variablesReference }),
      )
      .catch(() => undefined)
      .then(() => client.continueRequest({ threadId }))
      .catch(() => undefined);
  });
  await Promise.all([
    client.configurationSequence(),
    client.launch({ program: "/program.txt" } as never),
  ]);
  await over;
  await client.stop();
}
