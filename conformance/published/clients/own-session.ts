import { tcpTransport } from "@wirewright/dap/node";
import { launch } from "@wirewright/dap/session";

/** Runs a `@wirewright/dap` session that continues after each stop until the program ends. */
export async function runOwnSession(port: number): Promise<void> {
  const session = await launch(() => tcpTransport(port), {
    arguments: { program: "/program.txt" },
    breakpoints: { "/program.txt": [1, 2] },
    timeoutMs: 10_000,
    onChildFailure: () => undefined,
  });
  let state = await session.waitForStop();
  while (state.kind === "stopped") {
    // The program may have continued on its own in the meantime.
    await session.snapshot({ items: 20 }).catch(() => undefined);
    state = await session.continue().catch(() => session.waitForStop());
  }
  await session.terminate();
}
