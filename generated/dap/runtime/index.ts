/** Everything that generated code uses of the runtime. */
export { isAnnounced, mergeFlags } from "./capabilities.js";
export { FrameDecoder, type FrameDecoderOptions } from "./frame-decoder.js";
export type { Frame } from "./frame.js";
export {
  defaultLimits,
  type FrameError,
  type FrameErrorCode,
  type FrameLimits,
} from "./frame-errors.js";
export type { AdditionalAttributes, CustomName, Extensible, NoProperties } from "./type-shapes.js";
export type {
  EnvelopeTable,
  Framing,
  MessageFacts,
  MessageTable,
  NamedArmTable,
  Presence,
  ProtocolTable,
  ResponseArmTable,
  WhenTable,
} from "./protocol-table.js";
