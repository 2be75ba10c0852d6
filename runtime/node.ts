/** Node-only exports that generated code imports from the runtime. */
export {
  ProcessEndedError,
  ProcessStartError,
  spawnChecks,
  spawnTransport,
  type SpawnedProcess,
  type SpawnTransportOptions,
} from "./connection/node-processes.js";
export { nodeTransport, tcpTransport, type TcpOptions } from "./connection/node-transports.js";
export {
  createDecoderTransform,
  createFrameWriter,
  type MessageWriter,
} from "./frames/node-streams.js";
