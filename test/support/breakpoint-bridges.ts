import {
  bridgeBreakpoints,
  type BreakpointChangedParams,
  type BridgeOptions,
} from "@wirewright/acp-breakpoints";

export function bridge(options: Partial<BridgeOptions> = {}) {
  const changed: BreakpointChangedParams[] = [];
  const made = bridgeBreakpoints({ onChanged: (params) => void changed.push(params), ...options });
  return { changed, bridge: made };
}
