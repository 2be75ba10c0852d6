/** Everything that generated code uses of the runtime on Node, apart from what runs anywhere. */
export { connectTcp, nodeTransport } from "./connection/node-transports.js";
export { ProcessEndedError } from "./connection/process-ended-error.js";
export {
  spawnTransport,
  type SpawnedProcess,
  type SpawnTransportOptions,
} from "./connection/node-process-transport.js";
export {
  createDecoderTransform,
  createMessageWriter,
  type MessageWriter,
} from "./frames/node-streams.js";
