export interface Connection {
  request(name: string, parameters?: object, options?: object): Promise<never>;
  once(name: string, options?: object): Promise<unknown>;
  on(name: string, listener: (body: unknown, message: Message) => void): () => void;
  close(): Promise<void>;
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
}
