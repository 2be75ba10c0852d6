/** Something that a peer, a transport, a handler or a middleware does, and what a connection makes of it. */
export interface ConnectionCase {
  readonly name: string;
  run(): Promise<void>;
}
