/** Everything that generated code uses of the runtime on Node, apart from what runs anywhere. */
export { connectTcp, nodeTransport } from "./node-transports.js";
export { ProcessEndedError } from "./process-ended-error.js";
export {
  spawnTransport,
  type SpawnedProcess,
  type SpawnTransportOptions,
} from "./node-process-transport.js";
export { createDecoderTransform, createMessageWriter, type MessageWriter } from "./node-streams.js";
