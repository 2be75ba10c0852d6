/** Node-only exports that generated code imports from the runtime. */
export { tcpTransport, type TcpOptions } from "./connection/node-tcp.js";
export { nodeTransport } from "./connection/node-transports.js";
export { ProcessEndedError } from "./connection/process-ended-error.js";
export { ProcessStartError } from "./connection/process-start-error.js";
export {
  spawnChecks,
  spawnTransport,
  type SpawnedProcess,
  type SpawnTransportOptions,
} from "./connection/node-process-transport.js";
export {
  createDecoderTransform,
  createFrameWriter,
  type MessageWriter,
} from "./frames/node-streams.js";
