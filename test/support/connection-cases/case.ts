/**
 * A connection test case. A peer, transport, handler or middleware does something, and the
 * connection must react correctly.
 */
export interface ConnectionCase {
  readonly name: string;
  run(): Promise<void>;
}
