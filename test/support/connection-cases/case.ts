/**
 * A test case of a connection. A peer, a transport, a handler or a middleware does something, and
 * the connection must react correctly.
 */
export interface ConnectionCase {
  readonly name: string;
  run(): Promise<void>;
}
