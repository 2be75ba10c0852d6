/** Everything that generated code uses of the runtime on Node, apart from what runs anywhere. */
export {
  connectTcp,
  nodeTransport,
  spawnTransport,
  type SpawnedProcess,
} from "./node-transports.js";
export { createDecoderTransform, createMessageWriter, type MessageWriter } from "./node-streams.js";
