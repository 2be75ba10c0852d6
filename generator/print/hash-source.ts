import { createHash } from "node:crypto";

/** Returns a Content Security Policy source expression that allows only the given script. */
export function hashSource(script: string): string {
  const digest = createHash("sha256").update(script).digest("hex");
  return `'sha256-${Buffer.from(digest, "hex").toString("base64")}'`;
}
