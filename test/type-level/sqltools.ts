/** Tests the guarantees that the SQL Tools Service types make. Compiling this file is the test. */
import type { Connection } from "@wirewright/sqltools/connection";

export async function open(client: Connection<"client">): Promise<void> {
  client.notify("open", { file: "/a.ps1" });
  client.notify("exit");
  client.notify("pause");
  // @ts-expect-error TS2345: this request has no response, so it is sent with notify.
  await client.request("open", { file: "/a.ps1" });
  // @ts-expect-error TS2769: this request has a response, so it is sent with request.
  client.notify("threads");
  await client.request("threads", undefined, { acceptsPartial: true });
}
