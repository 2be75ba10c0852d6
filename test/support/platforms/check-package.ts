import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { inPeers } from "../paths.js";

/** The part of the `@arethetypeswrong/core` API used here. */
interface TypeChecker {
  createPackageFromTarballData(bytes: Uint8Array): unknown;
  checkPackage(contents: unknown): Promise<{
    readonly types: unknown;
    readonly problems?: readonly { readonly kind: string; readonly resolutionKind?: string }[];
  }>;
}

/** Checks a tarball with publint and "Are the types wrong?" and returns their findings. */
export async function checkTarball(tarball: string): Promise<readonly string[]> {
  const bytes = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  const { href } = pathToFileURL(inPeers("@arethetypeswrong/core/dist/index.js"));
  const { checkPackage, createPackageFromTarballData } = (await import(href)) as TypeChecker;
  const { types, problems = [] } = await checkPackage(createPackageFromTarballData(bytes));
  // Packages of ES modules are meant for resolutions that support these.
  const relevant = problems.filter(
    ({ kind, resolutionKind }) => kind !== "CJSResolvesToESM" && resolutionKind !== "node10",
  );
  return [
    ...messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code),
    ...(types === false ? ["has no types"] : relevant.map((each) => JSON.stringify(each))),
  ];
}
