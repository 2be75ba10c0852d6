export * from "../../generated/acp-breakpoints/index.js";
export * from "./bridge.js";
