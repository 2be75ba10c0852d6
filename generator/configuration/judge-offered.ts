import type { ConfigurationSource, SourceNote } from "./configuration-set.js";
export function judgeOffered(_source: ConfigurationSource): readonly SourceNote[] {
  return [];
}
