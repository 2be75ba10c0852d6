import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { extname } from "node:path";
import { fromRoot } from "../../test/support/paths.js";
import { base } from "./pages/addresses.js";

const built = fromRoot("build/site-pages");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Serves the built site under its base path, like the real web host. */
export async function serveSite(
  port = 0,
): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(({ url = "" }, response) => {
    const path = decodeURI(url.split("?")[0]!);
    let file = `${built}${path.slice(base.length)}`;
    if (path.startsWith(base) && existsSync(file) && statSync(file).isDirectory())
      file = `${file.replace(/\/$/, "")}/index.html`;
    if (!path.startsWith(base) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve, reject) =>
    server.on("error", reject).listen(port, "127.0.0.1", resolve),
  );
  return { server, origin: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
}
