import {
  bridgeBreakpoints,
  type BreakpointChangedParams,
  type BridgeOptions,
} from "../../generated/acp-breakpoints/index.js";

export function bridge(options: Partial<BridgeOptions> = {}) {
  const changed: BreakpointChangedParams[] = [];
  const made = bridgeBreakpoints({ onChanged: (params) => void changed.push(params), ...options });
  return { changed, bridge: made };
}
