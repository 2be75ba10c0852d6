import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { dapEvent, dapRequest, dapResponse } from "../../../support/dap-messages.js";
import { recorded } from "../../../support/inspector-page.js";
import { inPeers, skipWithoutPeer } from "../../../support/paths.js";
import { began, head, lines, run } from "../../../support/exported-recording.js";

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly events?: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: object;
}

const spansOf = (text: string): readonly Span[] =>
  text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const { resourceSpans } = JSON.parse(line) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    });

test("traces have a span for each request with findings as events, and child sessions are linked", () => {
  const { status, stdout } = run(["--format", "otlp"]);
  assert.equal(status, 0);
  assert.equal(run(["--format", "otlp"]).stdout, stdout);
  const spans = spansOf(stdout);
  const start = BigInt(Date.parse(began)) * 1_000_000n;
  const shown = spans.map(
    ({ name, startTimeUnixNano, endTimeUnixNano }) =>
      `${name} ${(BigInt(startTimeUnixNano) - start) / 1_000n} ${(BigInt(endTimeUnixNano) - start) / 1_000n}`,
  );
  assert.deepEqual(shown, [
    "initialize 0 2500",
    "threads 5000 6000",
    "continue 12000 14000",
    "launch 3000 20000",
    "startDebugging 7000 20000",
    "events 4000 20000",
    "dap session 0 20000",
    "initialize 8000 14000",
    "attach 9000 14000",
    "events 10000 14000",
    "dap session 8000 14000",
  ]);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  assert.deepEqual(
    roots.map(({ name }) => name),
    ["dap session", "dap session"],
  );
  for (const { traceId, parentSpanId } of spans.filter((each) => each.parentSpanId !== undefined))
    assert.equal(roots.find((root) => root.traceId === traceId)?.spanId, parentSpanId);
  const asking = spans.find(({ name }) => name === "startDebugging")!;
  assert.deepEqual(roots[1]!.links, [{ traceId: asking.traceId, spanId: asking.spanId }]);
  assert.deepEqual(spans[1]!.status, { code: 2, message: "busy" });
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length);
  assert.deepEqual(
    spans[5]!.events!.map(({ name }) => name),
    ["initialized", "ERR_NOISE", "finding", "mine", "finding"],
  );
});

interface ProtoType {
  verify(value: object): string | null;
  fromObject(value: object): object;
  encode(value: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(value: object, options: object): object;
}

test(
  "each OTLP line is a valid export request according to the official definitions, without unknown fields",
  { skip: skipWithoutPeer("@opentelemetry/otlp-transformer") },
  () => {
    const generated = createRequire(import.meta.url)(
      inPeers("@opentelemetry/otlp-transformer/build/src/generated/root.js"),
    ) as {
      opentelemetry: {
        proto: { collector: { trace: { v1: { ExportTraceServiceRequest: ProtoType } } } };
      };
    };
    const type = generated.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
    const many = Array.from({ length: 1_200 }, (_, at) => [
      recorded("client", 100 + at, dapRequest(10 + at, "threads"), 1),
      recorded("adapter", 100.5 + at, dapResponse(10 + at, 10 + at, "threads", { threads: 7 }), 1),
      recorded("adapter", 100.7 + at, dapEvent(10 + at, "output", { output: 8 }), 1),
    ]).flat();
    const text = [head, ...lines, ...many].map((each) => `${JSON.stringify(each)}\n`).join("");
    const { stdout } = run(["--format", "otlp"], text);
    const sent = stdout.trimEnd().split("\n");
    assert.ok(sent.length > 2);
    for (const line of sent) {
      // OTLP JSON encodes ids in hexadecimal, whereas Protobuf JSON encodes all bytes in base64.
      const value = JSON.parse(line, (key, each: unknown) =>
        ["traceId", "spanId", "parentSpanId"].includes(key)
          ? Buffer.from(String(each), "hex").toString("base64")
          : each,
      ) as object;
      const message = type.fromObject(value);
      assert.equal(type.verify(message), null);
      const back = type.toObject(type.decode(type.encode(message).finish()), {
        longs: String,
        bytes: String,
        enums: Number,
      });
      assert.deepEqual(JSON.parse(JSON.stringify(back)), value);
    }
    const spans = spansOf(stdout);
    assert.ok(spans.every(({ events = [] }) => events.length <= 128));
    assert.equal(spans.filter(({ name }) => name === "threads").length, 1_201);
    const outputs = spans
      .flatMap(({ events = [] }) => events)
      .filter(({ name }) => name === "output");
    assert.equal(outputs.length, 1_200);
    for (const { traceId, spanId } of spans) {
      assert.match(traceId, /^[0-9a-f]{32}$/);
      assert.match(spanId, /^[0-9a-f]{16}$/);
    }
  },
);
