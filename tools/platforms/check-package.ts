import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { readFileSync } from "node:fs";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** What publint and "Are the types wrong?" find in a tarball. */
export async function checkTarball(tarball: string): Promise<readonly string[]> {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const analysis = await checkPackage(createPackageFromTarballData(bytes));
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...(analysis.types === false
      ? ["has no types"]
      : analysis.problems.map((each) => JSON.stringify(each))),
  ];
}
