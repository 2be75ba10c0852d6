import { ClientPositions, type Positions } from "./client-positions.js";
import {
  connect,
  type Connection,
  type ConnectOptions,
  type FlagsAdapter,
  type Handlers,
  type RequestHandler,
} from "./connection.js";
import type { Resuming } from "./handles.js";
import { requests, type RequestNameFrom, type Requests } from "./maps.js";
import { ProgressReports, type Progress, type ProgressOptions } from "./progress.js";
import { protocol } from "./protocol.js";
import type {
  AdditionalAttributes,
  Middleware,
  RequestContext,
  Transport,
} from "./runtime/index.js";
import type * as types from "./types.js";

/** The types of an adapter: its launch and attach arguments, and the state of a session. */
export interface AdapterTypes {
  readonly launch?: object;
  readonly attach?: object;
  readonly session?: unknown;
}

/** Arguments of `launch` or `attach`: the adapter's own, if given, and those of the protocol. */
type ArgumentsOf<Own, Name extends "launch" | "attach"> =
  Own extends Record<Name, infer Given extends object>
    ? Given & types.LaunchRequestArguments
    : types.LaunchRequestArguments & AdditionalAttributes;

type SessionOf<Own> = Own extends { readonly session: infer Session } ? Session : undefined;

type Starting = "launch" | "attach";

/** The second argument of an adapter's handlers. */
export interface AdapterContext<
  Name extends RequestNameFrom<"client">,
  Session = undefined,
> extends RequestContext<Requests[Name]["request"], AdapterConnection> {
  /** The state of the session that the request belongs to. */
  readonly session: Session;
  /**
   * Resolves when the client has sent its breakpoints: when `configurationDone` has arrived. Run the
   * program after it.
   */
  readonly configured: Promise<void>;
  /**
   * Shows progress, if the client supports that. It belongs to the request, and ends with it at the
   * latest.
   */
  progress(title: string, options?: ProgressOptions): Progress;
}

type AdapterHandler<
  Name extends RequestNameFrom<"client">,
  Session,
  Arguments = Requests[Name]["arguments"],
> = (
  parameters: Arguments,
  context: AdapterContext<Name, Session>,
) => ReturnType<RequestHandler<Name>>;

/** Handlers of the requests that a client sends. */
export type AdapterHandlers<
  Session = undefined,
  Launch = ArgumentsOf<unknown, "launch">,
  Attach = ArgumentsOf<unknown, "attach">,
> = {
  readonly launch?: AdapterHandler<"launch", Session, Launch>;
  readonly attach?: AdapterHandler<"attach", Session, Attach>;
} & {
  readonly [Name in Exclude<RequestNameFrom<"client">, Starting>]?: AdapterHandler<Name, Session>;
};

/** Requests that have an answer without a handler. */
type Answered = keyof typeof defaultAnswers | "cancel";

/** The handlers that the capabilities require. */
export type NeededAdapterHandlers<Flags> = {
  readonly [
    Name in Exclude<
      RequestNameFrom<"client">,
      Answered
    > as Requests[Name]["capability"] extends infer Flag extends keyof Flags
      ? [Flags[Flag]] extends [false | undefined]
        ? never
        : Name
      : never
  ]: object;
};

/** Capabilities that announce requests. */
type RequestFlags = Extract<
  Requests[Exclude<RequestNameFrom<"client">, Answered>]["capability"],
  string
>;

/**
 * Where the type of the capabilities does not say which ones are set, those that announce requests
 * can only be withheld: the handlers announce them.
 */
type Announceable<Flags> = FlagsAdapter extends Flags
  ? { readonly [Flag in RequestFlags]?: false }
  : unknown;

/** An adapter: capabilities, handlers, and the state of its sessions. */
export interface AdapterDefinition<Flags extends FlagsAdapter, Session, Launch, Attach> {
  /**
   * What the adapter can do. A handler announces the capability that its request needs, so that only
   * the others need to be listed. Set a capability to false to withhold it.
   */
  readonly capabilities?: Flags & Announceable<Flags>;
  /** Creates the state of a session, once for each connection. Put it before the handlers. */
  readonly session?: (connection: AdapterConnection) => Session;
  /** Called once when the connection has ended, also if the client has not said goodbye. */
  readonly dispose?: (session: Session) => unknown;
  readonly handlers: AdapterHandlers<Session, Launch, Attach> &
    NeededAdapterHandlers<FlagsAdapter extends Flags ? unknown : Flags> &
    ({ readonly launch: object } | { readonly attach: object });
  /**
   * How the adapter counts lines and columns, and writes paths. Messages are converted if the client
   * does otherwise. `client`: they are not converted. Default: as the protocol does.
   */
  readonly positions?: Positions | "client";
  /**
   * When `initialized` is sent: after the response to `initialize`, or by the adapter itself.
   * Default: `automatic`.
   */
  readonly initialized?: "automatic" | "manual";
}

/** The adapter's side of a session. */
export interface AdapterConnection extends Connection<"adapter">, Resuming {
  /** Resolves when the connection has ended and the session is disposed of. */
  readonly disposed: Promise<void>;
  /** Shows progress that belongs to no request. */
  progress(title: string, options?: ProgressOptions): Progress;
}

/** Connects an adapter. */
export type Adapter<Session = unknown> = (
  transport: Transport,
  options?: Omit<ConnectOptions<"adapter">, "handlers">,
) => AdapterConnection & { readonly session: Session };

/**
 * Defines an adapter. Returns a function that connects it, with a session of its own each time.
 *
 * Without a handler, `initialize` is answered with the capabilities and followed by `initialized`.
 * `disconnect` ends the connection after the response, and breakpoints are not verified.
 *
 * @throws TypeError if a capability is announced without its handlers.
 */
export function defineAdapter<
  Own extends AdapterTypes = Record<never, never>,
  const Flags extends FlagsAdapter = FlagsAdapter,
  Session = SessionOf<Own>,
  Launch = ArgumentsOf<Own, "launch">,
  Attach = ArgumentsOf<Own, "attach">,
>(
  definition: AdapterDefinition<Flags, Session, Launch, Attach> &
    (undefined extends Session ? unknown : { readonly session: object }),
): Adapter<Session> {
  const handlers = definition.handlers as unknown as AnyHandlers;
  const capabilities = announcedBy(handlers, definition.capabilities);
  return (transport, options = {}) => {
    const scope = new Scope(definition as unknown as AnyDefinition, handlers, capabilities);
    return scope.open(transport, options) as AdapterConnection & { readonly session: Session };
  };
}

type AnyHandler = (parameters: object | undefined, context: object) => unknown;
type AnyHandlers = { readonly [name: string]: AnyHandler | undefined };
type AnyDefinition = AdapterDefinition<FlagsAdapter, unknown, never, never>;

/** Answers to what every client sends. */
const defaultAnswers = {
  setBreakpoints: ({ breakpoints, lines = [] }: types.SetBreakpointsArguments) => ({
    breakpoints: (breakpoints ?? lines.map((line) => ({ line }))).map(({ line }, index) => ({
      id: index + 1,
      verified: false,
      line,
      message: "This adapter does not support breakpoints",
    })),
  }),
  setExceptionBreakpoints: () => undefined,
  configurationDone: () => undefined,
  threads: () => ({ threads: [{ id: 1, name: "main" }] }),
  disconnect: () => undefined,
};

/** The capabilities that are given, and those that follow from the handlers. */
function announcedBy(handlers: AnyHandlers, given: FlagsAdapter = {}): FlagsAdapter {
  const answers: AnyHandlers = { ...(defaultAnswers as object), ...handlers };
  const flags: Record<string, unknown> = { supportsCancelRequest: true };
  const lacking = new Set<string>();
  for (const { name, sender, capability } of Object.values(requests)) {
    // A flag is true or false; other capabilities have contents, which only the author knows.
    if (sender === "adapter" || capability === undefined || !/^supports?[A-Z]/.test(capability))
      continue;
    if (name === "cancel" || answers[name] !== undefined) flags[capability] ??= true;
    else if ((given as Record<string, unknown>)[capability] === true)
      throw new TypeError(
        `Cannot define the adapter: it announces ${capability}, but has no handler of "${name}"`,
      );
    else lacking.add(capability);
  }
  const complete = Object.entries(flags).filter(([flag]) => !lacking.has(flag));
  return { ...Object.fromEntries(complete), ...given };
}

/** One connection of an adapter, and its session. */
class Scope {
  readonly configured: Promise<void>;
  readonly #definition: AnyDefinition;
  readonly #handlers: AnyHandlers;
  readonly #capabilities: FlagsAdapter;
  readonly #onResume: (() => void)[] = [];
  #configure: () => void = () => undefined;
  #connection: AdapterConnection | undefined;
  #progress: ProgressReports | undefined;
  #session: { readonly value: unknown } | undefined;

  constructor(definition: AnyDefinition, handlers: AnyHandlers, capabilities: FlagsAdapter) {
    this.#definition = definition;
    this.#handlers = handlers;
    this.#capabilities = capabilities;
    this.configured = new Promise((resolve) => (this.#configure = resolve));
  }

  open(transport: Transport, options: Omit<ConnectOptions<"adapter">, "handlers">): object {
    const { positions, dispose } = this.#definition;
    const { middleware = [] } = options;
    const converting = positions === "client" ? [] : [convert(positions)];
    const connection = connect("adapter", transport, {
      ...options,
      middleware: [...middleware, ...converting],
      handlers: this.#wrapped(),
    });
    const own = this.#extend(connection);
    try {
      const session = this.sessionOf(own);
      const disposed = connection.closed.then(() => dispose?.(session)).then(() => undefined);
      // Who does not wait for it does not want to know.
      disposed.catch(() => undefined);
      return Object.assign(own, { session, disposed });
    } catch (error) {
      void connection.close();
      throw error;
    }
  }

  /** Created with the connection, or by the first request if that is earlier. */
  sessionOf(connection: AdapterConnection): unknown {
    this.#session ??= { value: this.#definition.session?.(connection) };
    return this.#session.value;
  }

  progressOf(connection: Connection<"adapter">): ProgressReports {
    this.#progress ??= new ProgressReports(connection);
    return this.#progress;
  }

  #extend(connection: Connection<"adapter">): AdapterConnection {
    this.#connection ??= Object.assign(connection, {
      onResume: (run: () => void) => void this.#onResume.push(run),
      progress: (title: string, options?: ProgressOptions) =>
        this.progressOf(connection).start(title, options),
    }) as AdapterConnection;
    return this.#connection;
  }

  #wrapped(): Handlers<"adapter"> {
    const { initialized = "automatic" } = this.#definition;
    const all: Record<string, AnyHandler> = {};
    const answers: AnyHandlers = { ...(defaultAnswers as object), ...this.#handlers };
    for (const [name, handler] of Object.entries(answers))
      if (handler !== undefined)
        all[name] = (parameters, context) => {
          if (resumes.has(name)) for (const run of this.#onResume) run();
          return this.#call(handler, parameters, context as RequestContext);
        };
    const { initialize, configurationDone, disconnect } = all;
    all["initialize"] = async (parameters, context) => {
      const own = (await initialize?.(parameters, context)) as FlagsAdapter | undefined;
      const capabilities = { ...this.#capabilities, ...own };
      if (capabilities.supportsConfigurationDoneRequest !== true) this.#configure();
      const { after, connection } = context as RequestContext<object, Connection<"adapter">>;
      if (initialized === "automatic")
        after(() => connection.notifyCustom(protocol.conversation.ready));
      return capabilities;
    };
    all["configurationDone"] = (parameters, context) => {
      this.#configure();
      return configurationDone!(parameters, context);
    };
    all["disconnect"] = (parameters, context) => {
      const { after, connection } = context as RequestContext<object, Connection<"adapter">>;
      after(() => void connection.close());
      return disconnect!(parameters, context);
    };
    const { cancel } = all;
    all["cancel"] = (parameters, context) => {
      const { progressId } = (parameters ?? {}) as { readonly progressId?: unknown };
      if (typeof progressId === "string") this.#progress?.cancel(progressId);
      return cancel?.(parameters, context);
    };
    return all as Handlers<"adapter">;
  }

  /** Calls a handler. What it shows as progress ends with it. */
  #call(handler: AnyHandler, parameters: object | undefined, context: RequestContext): unknown {
    const own = new HandlerContext(this, context, this.#extend(context.connection as never));
    let result: unknown;
    try {
      result = handler(parameters, own);
    } catch (error) {
      own.endProgress();
      throw error;
    }
    if (!(result instanceof Promise)) {
      own.endProgress();
      return result;
    }
    return result.finally(() => own.endProgress());
  }
}

/** Requests that resume the program. */
const resumes: ReadonlySet<string> = new Set(protocol.conversation.resumes);

/** The context of one request. Its parts can be taken out of it. */
class HandlerContext {
  readonly session: unknown;
  readonly connection: AdapterConnection;
  readonly configured: Promise<void>;
  readonly request: object;
  readonly #context: RequestContext;
  readonly #scope: Scope;
  #progress: Progress[] | undefined;

  constructor(scope: Scope, context: RequestContext, connection: AdapterConnection) {
    this.#scope = scope;
    this.#context = context;
    this.session = scope.sessionOf(connection);
    this.connection = connection;
    this.configured = scope.configured;
    this.request = context.request;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get after(): RequestContext["after"] {
    return this.#context.after;
  }

  get progress(): (title: string, options?: ProgressOptions) => Progress {
    return (title, options) => {
      const { seq } = this.request as { readonly seq: number };
      const request = { seq, signal: this.signal };
      const started = this.#scope.progressOf(this.connection).start(title, options, request);
      (this.#progress ??= []).push(started);
      return started;
    };
  }

  endProgress(): void {
    for (const progress of this.#progress ?? []) progress.end();
  }
}

/** Converts messages if the client does not count as the adapter does. */
function convert(adapter: Positions = {}): Middleware {
  let positions = new ClientPositions({}, adapter);
  return {
    afterReceive(message) {
      const { type, command, arguments: client } = message as Partial<types.InitializeRequest>;
      if (type === "request" && command === "initialize")
        positions = new ClientPositions(client ?? {}, adapter);
      return positions.fromClient(message);
    },
    beforeSend: (message) => positions.toClient(message),
  };
}
