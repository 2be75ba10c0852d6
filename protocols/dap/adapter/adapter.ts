import type {
  Adapter,
  AdapterConnection,
  AdapterDefinition,
  ArgumentsOf,
  DefaultAnswer,
  Positions,
} from "./adapter-definition.js";
import { ClientPositions, positionChecks } from "./client-positions.js";
import {
  connect,
  Refusal,
  type Connection,
  type ConnectOptions,
  type Handlers,
} from "../../../generated/dap/connection.js";
import { requests } from "../../../generated/dap/maps.js";
import { watchFor } from "./host-checks.js";
import { ProgressReports, type Progress, type ProgressOptions } from "./progress.js";
import { protocol } from "../../../generated/dap/protocol.js";
import {
  onAbort,
  option,
  startTimer,
  type HostSignal,
  type Middleware,
  type RequestContext,
  type Transport,
} from "@wirewright/runtime";
import type * as types from "../../../generated/dap/types.js";

/**
 * Defines an adapter. Returns a function that connects it to a client. Each connection has its own
 * session.
 *
 * Unless you handle these requests yourself, `initialize` is answered with the capabilities and
 * followed by `initialized`, `disconnect` ends the connection after the response, and breakpoints are
 * not verified.
 *
 * All types are inferred: the session state from `session`, and your own arguments from the
 * annotated parameters of the `launch` and `attach` handlers.
 *
 * @throws TypeError for a request or option that does not exist, if there is no handler for
 * `launch` or `attach`, or if a capability is announced without the handlers that it requires.
 */
export function defineAdapter<
  Announced extends types.Capabilities = types.Capabilities,
  Session = undefined,
  Launch = ArgumentsOf<"launch">,
  Attach = ArgumentsOf<"attach">,
>(definition: AdapterDefinition<Announced, Session, Launch, Attach>): Adapter<Session> {
  option.checkOptions("defineAdapter", definition, definitionChecks());
  if (definition.positions !== "client")
    option.checkOptions("defineAdapter: positions", definition.positions, positionChecks);
  const handlers = definition.handlers as unknown as AnyHandlers;
  if (handlers["launch"] === undefined && handlers["attach"] === undefined)
    throw new TypeError(
      'Cannot define the adapter: without a handler for "launch" or "attach", no session can start',
    );
  const capabilities = announcedBy(handlers, definition.capabilities);
  return (transport, options = {}) => {
    const scope = new Scope(definition as unknown as AnyDefinition, handlers, capabilities);
    return scope.open(transport, options) as AdapterConnection & { readonly session: Session };
  };
}

type Definition = AdapterDefinition<types.Capabilities, unknown, unknown, unknown>;

const definitionChecks = (): option.OptionChecks<Definition> => ({
  capabilities: option.object,
  session: option.callback,
  onClose: option.callback,
  handlers: option.recordOf(option.callback, new Map(Object.entries(requests))),
  positions: option.either(option.oneOf("client"), option.object),
  initialized: option.oneOf("automatic", "manual"),
  hosts: option.listOf(option.object),
  parameters: option.recordOf(option.callback),
});

type AnyHandler = (parameters: object | undefined, context: object) => unknown;
type AnyHandlers = { readonly [name: string]: AnyHandler | undefined };
type AnyDefinition = AdapterDefinition<types.Capabilities, unknown, never, never>;

/**
 * Default handlers for the requests that every client sends. `cancel` is answered by the connection
 * itself.
 */
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
} satisfies { [Name in Exclude<DefaultAnswer, "cancel">]: unknown };

/**
 * Milliseconds for which requests are still accepted after the response to `disconnect`. The
 * official library waits just as long.
 */
const goodbyeMs = 100;

/**
 * Maximum milliseconds that `disconnect` waits for the response to `initialize`, whose handler may
 * never settle.
 */
const openingMs = 1_000;

/** The properties of a request from which capabilities are derived. */
interface Announced {
  readonly name: string;
  readonly sender: string;
  readonly capability?: string | undefined;
}

/** Returns the given capabilities, plus those implied by the handlers. */
function announcedBy(handlers: AnyHandlers, given: types.Capabilities = {}): types.Capabilities {
  const answers: AnyHandlers = { ...(defaultAnswers as object), ...handlers };
  const flags: Record<string, unknown> = {};
  const lacking = new Set<string>();
  for (const { name, sender, capability } of Object.values<Announced>(requests)) {
    // Set only flags: the values of other capabilities are known only to the author.
    if (sender === "adapter" || capability === undefined || !/^supports?[A-Z]/.test(capability))
      continue;
    if (name === "cancel" || answers[name] !== undefined) flags[capability] ??= true;
    else if ((given as Record<string, unknown>)[capability] === true)
      throw new TypeError(
        `Cannot define the adapter: it announces ${capability}, but has no handler for "${name}"`,
      );
    else lacking.add(capability);
  }
  const complete = Object.entries(flags).filter(([flag]) => !lacking.has(flag));
  return { ...Object.fromEntries(complete), ...given };
}

/** One of an adapter's connections, and its session. */
class Scope {
  readonly configured: Promise<void>;
  readonly #definition: AnyDefinition;
  readonly #handlers: AnyHandlers;
  readonly #capabilities: types.Capabilities;
  readonly #onResume: (() => void)[] = [];
  /** Whether `initialize` has arrived and has not failed. */
  #isInitialized = false;
  readonly #opening = new OpeningGate();
  #configure: () => void = () => undefined;
  #connection: AdapterConnection | undefined;
  #progress: ProgressReports | undefined;
  #session: { readonly value: unknown } | undefined;

  constructor(definition: AnyDefinition, handlers: AnyHandlers, capabilities: types.Capabilities) {
    this.#definition = definition;
    this.#handlers = handlers;
    this.#capabilities = capabilities;
    this.configured = new Promise((resolve) => (this.#configure = resolve));
  }

  open(transport: Transport, options: Omit<ConnectOptions<"adapter">, "handlers">): object {
    const { positions, onClose, hosts = [], parameters = {} } = this.#definition;
    const { middleware = [], onProblem, checkIncoming } = options;
    const watches = hosts.map((host) => watchFor(host, onProblem));
    const converting =
      positions === "client" ? [] : [convert(positions, () => this.#isInitialized)];
    const connection = connect("adapter", transport, {
      parameters,
      ...options,
      middleware: [
        ...watches,
        ...middleware,
        ...converting,
        ...(checkIncoming === "strict" ? [] : [addArguments]),
      ],
      handlers: this.#wrapped(),
    });
    const adapterConnection = this.#extend(connection);
    try {
      const session = this.sessionOf(adapterConnection);
      const finished = connection.closed
        .then(() => {
          for (const watch of watches) watch.see("adapter");
          return onClose?.(session);
        })
        .then(() => undefined);
      // Callers need not await `finished`, so its failure must not become an unhandled rejection.
      finished.catch(() => undefined);
      return Object.assign(adapterConnection, { session, finished });
    } catch (error) {
      void connection.close();
      throw error;
    }
  }

  /**
   * Returns the session state. It is created along with the connection, or by the first request if
   * that arrives earlier.
   */
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
    const resumes: ReadonlySet<string> = new Set(protocol.conversation.resumes);
    const wrapped: Record<string, AnyHandler> = {};
    const answers: AnyHandlers = { ...(defaultAnswers as object), ...this.#handlers };
    for (const [name, handler] of Object.entries(answers))
      if (handler !== undefined)
        wrapped[name] = (parameters, context) => {
          if (resumes.has(name)) for (const run of this.#onResume) run();
          return this.#call(handler, parameters, context as RequestContext);
        };
    const { initialize, configurationDone, disconnect, cancel } = wrapped;
    const { positions } = this.#definition;
    const open: AnyHandler = async (parameters, context) => {
      if (this.#isInitialized) throw new Refusal("The session is already initialized");
      this.#isInitialized = true;
      let returned: types.Capabilities | undefined;
      try {
        if (positions !== "client") checkPathFormat(parameters);
        returned = (await initialize?.(parameters, context)) as types.Capabilities | undefined;
      } catch (error) {
        this.#isInitialized = false;
        throw error;
      }
      const capabilities = { ...this.#capabilities, ...returned };
      if (capabilities.supportsConfigurationDoneRequest !== true) this.#configure();
      const { ready } = protocol.conversation;
      const { after, connection } = context as RequestContext<object, Connection<"adapter">>;
      if (initialized === "automatic" && ready !== undefined)
        after(() => connection.notifyCustom(ready));
      return capabilities;
    };
    wrapped["configurationDone"] = (parameters, context) => {
      this.#configure();
      return configurationDone!(parameters, context);
    };
    wrapped["disconnect"] = (parameters, context) => {
      const { after, connection } = context as RequestContext<object, Connection<"adapter">>;
      // Wait before closing: test clients send `disconnect` again when they stop, and wait for the
      // response.
      after(() => void startTimer(goodbyeMs, () => void connection.close()));
      return disconnect!(parameters, context);
    };
    wrapped["initialize"] = (parameters, context) =>
      this.#opening.hold(open(parameters, context) as Promise<unknown>);
    for (const [name, handler] of Object.entries(wrapped))
      wrapped[name] = (parameters, context) =>
        this.#opening.enter(
          () => handler(parameters, context),
          context as RequestContext,
          name === "disconnect" ? openingMs : Infinity,
        );
    wrapped["cancel"] = (parameters, context) => {
      const { progressId } = (parameters ?? {}) as { readonly progressId?: unknown };
      if (typeof progressId === "string") this.#progress?.cancel(progressId);
      return cancel?.(parameters, context);
    };
    return wrapped as Handlers<"adapter">;
  }

  /** Calls a handler. Any progress that the handler reports ends when the handler does. */
  #call(handler: AnyHandler, parameters: object | undefined, context: RequestContext): unknown {
    const handlerContext = new HandlerContext(
      this,
      context,
      this.#extend(context.connection as never),
    );
    let result: unknown;
    try {
      // Clients omit empty arguments.
      result = handler(parameters ?? {}, handlerContext);
    } catch (error) {
      handlerContext.endProgress();
      throw error;
    }
    if (!(result instanceof Promise)) {
      handlerContext.endProgress();
      return result;
    }
    return result.finally(() => handlerContext.endProgress());
  }
}

/** The context of a request, which handlers may destructure. */
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

  get signal(): HostSignal {
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

/**
 * @throws Refusal, with the official library's error number, if the path format is not supported.
 */
function checkPathFormat(client: object = {}): void {
  const { pathFormat } = client as Partial<types.InitializeRequestArguments>;
  if (pathFormat === undefined || pathFormat === "path" || pathFormat === "uri") return;
  const text = 'The path format "{pathFormat}" is not supported. Use "path" or "uri"';
  const variables = { pathFormat: String(pathFormat).slice(0, 80) };
  throw new Refusal(text, { error: { id: 2018, variables } });
}

/**
 * Adds empty arguments to requests that have none, because clients omit them even where the schema
 * requires them. The official library's client does so for `launch`.
 */
const addArguments: Middleware = {
  afterReceive(message) {
    const { type, arguments: parameters } = message as Partial<types.LaunchRequest>;
    if (type === "request" && parameters === undefined) return { ...message, arguments: {} };
  },
};

/** Converts messages if the client and the adapter count lines and columns differently. */
function convert(adapter: Positions = {}, isInitialized: () => boolean): Middleware {
  let positions = new ClientPositions({}, adapter);
  return {
    afterReceive(message) {
      const { type, command, arguments: client } = message as Partial<types.InitializeRequest>;
      if (type === "request" && command === "initialize" && !isInitialized())
        positions = new ClientPositions(client ?? {}, adapter);
      return positions.fromClient(message);
    },
    beforeSend: (message) => positions.toClient(message),
  };
}

/**
 * Delays requests while the `initialize` handler runs, keeping them in the order in which they
 * arrived.
 */
class OpeningGate {
  #opening: Promise<unknown> | undefined;

  /**
   * Delays later requests until the `initialize` handler has settled and its response has been
   * sent.
   */
  hold(opening: Promise<unknown>): Promise<unknown> {
    this.#opening = opening;
    const release = (): void => (this.#opening = undefined);
    opening.then(release, release);
    return opening;
  }

  /**
   * Calls a handler now, or when the gate opens. If the request is cancelled while it is waiting,
   * the result is undefined.
   *
   * @param mostMs Maximum milliseconds to wait.
   */
  enter(run: () => unknown, context: Pick<RequestContext, "signal">, mostMs: number): unknown {
    const opening = this.#opening;
    if (opening === undefined) return run();
    const { signal } = context;
    return new Promise<unknown>((resolve) => {
      let isWaiting = true;
      const leave = (next: () => unknown): void => {
        if (!isWaiting) return;
        isWaiting = false;
        stopTimer();
        stopWatching();
        // Turn an exception thrown by the handler into a rejection.
        resolve(Promise.resolve().then(next));
      };
      const stopTimer = startTimer(mostMs, () => leave(run));
      const stopWatching = onAbort(signal, () => leave(() => undefined));
      // The connection subscribed to the result first, so it has sent the response by now. If that
      // response is a refusal, another `initialize` may delay the requests that follow it.
      const retry = (): void => leave(() => this.enter(run, context, mostMs));
      opening.then(retry, retry);
    });
  }
}
