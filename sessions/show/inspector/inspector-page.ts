import { deflateRawSync } from "node:zlib";
import { hashSource, markup, trustedMarkup } from "../../../generator/print/html-text.js";
import { pageScript, pageStyle } from "./page-bundle.js";
import type { PageData } from "./page-data.js";

/**
 * Prints the inspector's page. It is a single self-contained file, and its security policy forbids
 * all requests.
 *
 * Foreign text in the page is encoded as Base64, so it can neither act as markup nor end its
 * element. The script displays it as text.
 *
 * @param blocks The messages of each block, one per line, compressed with raw deflate.
 * @param others The messages of the recording to compare with.
 */
export function printInspectorPage(
  data: PageData,
  blocks: readonly Uint8Array[],
  others: readonly Uint8Array[] = [],
): string {
  const index = deflateRawSync(Buffer.from(JSON.stringify(data)));
  // Put the script before the messages, so that it starts while the browser is still reading them.
  const page = markup`${pageHead(data.head.title, [])}
<script type="text/plain" id="index">${trustedMarkup(base64(index))}</script>
${pageProgram}
${blockElements("block", blocks)}${blockElements("other", others)}${pageEnd}`;
  return page.toString();
}

/** Prints the page for a running session, which receives its data from its server. */
export function printLivePage(title: string): string {
  return markup`${pageHead(title, ["connect-src 'self'"])}
${pageProgram}
${pageEnd}`.toString();
}

function blockElements(name: string, blocks: readonly Uint8Array[]): ReturnType<typeof markup>[] {
  return blocks.map(
    (block) =>
      markup`<script type="text/plain" class="${name}">${trustedMarkup(base64(block))}</script>\n`,
  );
}

function pageHead(title: string, more: readonly string[]): ReturnType<typeof markup> {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${hashSource(pageScript)}`,
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join("; ");
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${trustedMarkup(policy)}">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${trustedMarkup(pageStyle)}</style>
</head>
<body>
<div id="app"><noscript>This page shows a recorded session with the script that it contains. Allow it to run.</noscript></div>`;
}

const pageProgram = markup`<script>${trustedMarkup(pageScript)}</script>`;

const pageEnd = markup`</body>
</html>
`;

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
