import { createHash } from "node:crypto";

/** The source in a page's policy that allows one script and no other. */
export function hashSource(script: string): string {
  const digest = createHash("sha256").update(script).digest("hex");
  return `'sha256-${Buffer.from(digest, "hex").toString("base64")}'`;
}
