/** Everything that generated code uses of the runtime. */
export { isAnnounced, mergeFlags } from "./capabilities.js";
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
