import assert from "node:assert/strict";
import { test } from "node:test";
import * as acpDialects from "@wirewright/acp-breakpoints/dialects";
import * as acpValidators from "@wirewright/acp-breakpoints/validators";
import { readProtocol } from "../../../cli/index.js";
import { fromRoot } from "../../support/paths.js";
import { pathToFileURL } from "node:url";
import { acpSample } from "../../support/acp-samples.js";
import { Sampler } from "../../support/sample-values.js";

test("only the dialect ignores ignorable invalid values", () => {
  const read = (message: object): unknown => acpDialects.createDialect("forgiving").read(message);
  const update = (content: unknown): object => ({
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "tool_call_update", toolCallId: "t", content },
    },
  });
  const block = { type: "content", content: { type: "text", text: "a" } };
  const odd = update([block, { type: "content" }, block, 5]);
  assert.equal(acpValidators.isValid(odd), false);
  assert.deepEqual(read(odd), update([block, block]));
  assert.ok(acpValidators.isValid(read(odd)));
  const { content: _content, ...rest } = (update(0) as any).params.update;
  assert.deepEqual((read(update("text")) as any).params.update, rest);
  const untouched = update([block]);
  assert.equal(read(untouched), untouched);

  const dialect = acpDialects.createDialect("forgiving");
  dialect.write({ jsonrpc: "2.0", id: 7, method: "initialize", params: { protocolVersion: 1 } });
  const capabilities = { loadSession: "yes", promptCapabilities: 5 };
  assert.deepEqual(
    dialect.read({
      jsonrpc: "2.0",
      id: 7,
      result: { protocolVersion: 1, agentCapabilities: capabilities, _meta: "x" },
    }),
    {
      jsonrpc: "2.0",
      id: 7,
      result: {
        protocolVersion: 1,
        agentCapabilities: {
          loadSession: false,
          promptCapabilities: { image: false, audio: false, embeddedContext: false },
        },
      },
    },
  );
});

test("the dialect tolerates the same single faults as the SDK's reader, and reads the same values", async () => {
  const protocol = await readProtocol("acp");
  const sampler = new Sampler(protocol, 3);
  const parsers = (await import(
    pathToFileURL(fromRoot("node_modules/@agentclientprotocol/sdk/dist/v1/schema/zod.gen.js")).href
  )) as Record<string, { safeParse(value: unknown): { success: boolean; data?: unknown } }>;
  const outcomes = { read: 0, refused: 0 };
  const differences = new Set<string>();
  const compare = (
    message: { readonly name: string; readonly kind: string },
    part: "params" | "result",
    definition: string,
  ): void => {
    const stem = definition.replace(/(Params|Result)$/, "");
    const names = part === "params" ? ["Request", "Notification", "Params"] : ["Response"];
    const parser = names
      .map((name) => parsers[`z${stem}${name}`])
      .find((each) => each !== undefined);
    assert.ok(parser !== undefined, definition);
    const isRequest = message.kind === "request";
    for (const fill of ["all", "some"] as const) {
      for (const { path, odd, value } of oddities(acpSample(sampler, definition, fill))) {
        // The SDK checks that this property is an address; the schema does not.
        if (path.endsWith("/url") && odd === '"x"') continue;
        const dialect = acpDialects.createDialect("forgiving");
        if (part === "result")
          dialect.write({ jsonrpc: "2.0", id: 1, method: message.name, params: {} });
        const read = dialect.read({
          jsonrpc: "2.0",
          ...(isRequest ? { id: 1 } : {}),
          ...(part === "params" ? { method: message.name } : {}),
          [part]: value,
        }) as Record<string, unknown>;
        const theirs = parser.safeParse(value);
        const ours =
          part === "params"
            ? acpValidators.isValid(read)
            : validators[`isValid${definition}`]!(read[part]);
        outcomes[ours ? "read" : "refused"]++;
        if (ours !== theirs.success)
          differences.add(
            `${definition}${path.replaceAll(/\/\d+/g, "/0")} = ${odd}: ${ours ? "read" : "refused"}`,
          );
        else if (ours)
          assert.deepEqual(
            JSON.stringify(parser.safeParse(read[part]).data),
            JSON.stringify(theirs.data),
            `${definition}${path} = ${odd}`,
          );
      }
    }
  };
  for (const message of protocol.messages) {
    const result = message.kind === "request" ? message.result : undefined;
    if (message.payload?.type.kind === "reference")
      compare(message, "params", message.payload.type.name);
    if (result?.type.kind === "reference") compare(message, "result", result.type.name);
  }
  assert.deepEqual([...differences], []);
  assert.ok(outcomes.read > 1_000 && outcomes.refused > 1_000, JSON.stringify(outcomes));
});

const validators = acpValidators as unknown as Readonly<
  Record<string, (value: unknown) => boolean>
>;

/** Yields copies of a value, each with one part replaced or removed. */
function* oddities(
  whole: unknown,
): Generator<{ readonly path: string; readonly odd: string; readonly value: unknown }> {
  const places: (readonly string[])[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (path.length > 0) places.push(path);
    if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) visit(each, [...path, key]);
  };
  visit(whole, []);
  for (const path of places) {
    for (const odd of [5, "x", null, [], {}, true, undefined]) {
      const value = structuredClone(whole);
      let holder = value as Record<string, unknown>;
      for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
      if (odd === undefined && Array.isArray(holder)) continue;
      if (odd === undefined) delete holder[path.at(-1)!];
      else holder[path.at(-1)!] = odd;
      yield {
        path: path.map((key) => `/${key}`).join(""),
        odd: JSON.stringify(odd) ?? "missing",
        value,
      };
    }
  }
}
