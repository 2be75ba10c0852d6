import { existsSync, readFileSync } from "node:fs";
import { compareNames, markFirstVersions } from "../../../generator/model/first-versions.js";
import { openProtocol } from "../../../sessions/judge/open-protocol.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { describedVersions, readProtocol } from "../../../generator/read/read-protocol.js";
import { fromRoot } from "../../../test/support/paths.js";
import type { SitePage } from "../pages/site-pages.js";
import type { Examples } from "./example.js";
import { readConformance } from "./read-conformance.js";
import { judgingRules } from "./judging-rules.js";
import { protocolPages } from "./protocol-pages.js";

/** The protocol that the conformance suite tests. */
const tested = "dap";

/**
 * Reads a bundled protocol and creates its pages: a start page, a page about its versions, and one
 * page for each message and type.
 */
export async function readProtocolPages(name: string): Promise<readonly SitePage[]> {
  const { sessionRules, ...newest } = await openProtocol(name);
  const versions: Protocol[] = [];
  for (const version of await describedVersions(name))
    versions.push(await readProtocol(name, { version }));
  const protocol = markFirstVersions(newest, versions.slice(0, -1));
  return protocolPages(protocol, {
    versions: versions.length > 1 ? compareNames(versions).since : [],
    oldest: versions[0]?.version,
    rules: judgingRules(sessionRules),
    examples: readExamples(name),
    checks: name === tested ? readConformance() : [],
  });
}

/** Reads the examples written by `node build/docs/site/protocol/collect-examples.js`. */
function readExamples(name: string): Examples | undefined {
  const path = fromRoot(`docs/site/protocol/examples/${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Examples) : undefined;
}
