export type { ExpectedStop } from "./expected-stop.js";
export * from "./golden-recorder.js";
export type { AnyMessage } from "./played-adapter.js";
export type { RecordedMessage, Recording } from "./recorded-exchanges.js";
export * from "./replay.js";
export * from "./script-adapter.js";
export { SessionAssertionError } from "./session-assertion.js";
export { inProcess, testClient, type TestClient, type TestClientMembers } from "./test-client.js";
export type {
  EventOptions,
  HitOptions,
  TestBreakpoint,
  TestClientOptions,
} from "./test-client-options.js";
export * from "./transport-faults.js";
