/** An action of a peer, a transport, a handler or a middleware, and the connection's reaction. */
export interface ConnectionCase {
  readonly name: string;
  run(): Promise<void>;
}
