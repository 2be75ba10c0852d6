/** Statistics of a fuzzing run. */
export interface Stats {
  executions: number;
  edges: number;
  totalEdges: number;
  corpus: number;
  findings: number;
  /** The largest number of steps per byte, and the input that took them. */
  slowest: { readonly perByte: number; readonly length: number; readonly input: string };
}
