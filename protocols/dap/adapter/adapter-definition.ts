import type { ConfiguredArguments } from "../configured-arguments.js";
import type {
  Connection,
  ConnectOptions,
  RequestHandler,
} from "../../../generated/dap/connection.js";
import type { HostCheck } from "./host-checks.js";
import type { Resuming } from "./handles.js";
import type { RequestNameFrom, Requests } from "../../../generated/dap/maps.js";
import type { Progress, ProgressOptions } from "./progress.js";
import type {
  AdditionalAttributes,
  AnyValidator,
  RequestContext,
  Transport,
} from "@wirewright/runtime";
import type { Capabilities, LaunchRequestArguments } from "../../../generated/dap/types.js";

/**
 * Arguments of `launch` or `attach`: those of the protocol, and the configuration attributes that
 * the package was generated with. If it was generated without any, all attributes are allowed.
 */
export type ArgumentsOf<Name extends "launch" | "attach"> =
  ConfiguredArguments extends Record<Name, infer Configured extends object>
    ? Configured & LaunchRequestArguments
    : LaunchRequestArguments & AdditionalAttributes;

type Starting = "launch" | "attach";

/** The second argument passed to an adapter's handlers. */
export interface AdapterContext<
  Name extends RequestNameFrom<"client">,
  Session = undefined,
> extends RequestContext<Requests[Name]["request"], AdapterConnection> {
  /** The state of the session that the request belongs to. */
  readonly session: Session;
  /**
   * Resolves once the client has set its breakpoints, that is, when `configurationDone` has
   * arrived. Do not run the program before that.
   */
  readonly configured: Promise<void>;
  /**
   * Shows progress, if the client supports it. The progress belongs to the request, and ends no
   * later than the request does.
   */
  progress(title: string, options?: ProgressOptions): Progress;
}

type AdapterHandler<
  Name extends RequestNameFrom<"client">,
  Session,
  // If a client omits the arguments, the handler receives an empty object.
  Arguments = NonNullable<Requests[Name]["arguments"]>,
> = (
  arguments_: Arguments,
  context: AdapterContext<Name, Session>,
) => ReturnType<RequestHandler<Name>>;

/** Handlers for the requests that a client sends. */
export interface AdapterHandlers<
  Session = undefined,
  Launch = ArgumentsOf<"launch">,
  Attach = ArgumentsOf<"attach">,
> extends OtherHandlers<Session> {
  readonly launch?: AdapterHandler<"launch", Session, Launch>;
  readonly attach?: AdapterHandler<"attach", Session, Attach>;
}

/**
 * Extended by an interface rather than intersected, because compilers print an interface by its
 * name, but an intersection in full.
 */
type OtherHandlers<Session> = {
  readonly [Name in Exclude<RequestNameFrom<"client">, Starting>]?: AdapterHandler<Name, Session>;
};

/** Requests that are answered even without a handler. */
export type DefaultAnswer =
  | "cancel"
  | "configurationDone"
  | "disconnect"
  | "setBreakpoints"
  | "setExceptionBreakpoints"
  | "threads";

/** The handlers required by the announced capabilities. */
export type NeededAdapterHandlers<Announced> = {
  readonly [
    Name in Exclude<
      RequestNameFrom<"client">,
      DefaultAnswer
    > as Requests[Name]["capability"] extends infer Capability extends keyof Announced
      ? [Announced[Capability]] extends [false | undefined]
        ? never
        : Name
      : never
  ]: object;
};

/** Capabilities that indicate support for a request. */
type RequestCapabilities = Extract<
  Requests[Exclude<RequestNameFrom<"client">, DefaultAnswer>]["capability"],
  string
>;

/**
 * If the capabilities' type does not show which ones are set, request capabilities can only be set
 * to false, because the handlers announce them.
 */
type Announceable<Announced> = Capabilities extends Announced ? WithheldRequests : unknown;

/** Refuses misspelled capabilities, which an inferred type would otherwise accept. */
type NoOther<Announced> = {
  readonly [Name in Exclude<keyof Announced, keyof Capabilities>]: never;
};

type WithheldRequests = { readonly [Capability in RequestCapabilities]?: false };

/** A session can start only if there is at least one of these handlers. */
interface AttachHandler {
  readonly attach: object;
}

interface LaunchHandler {
  readonly launch: object;
}

/** An adapter: its capabilities, its handlers, and the state of its sessions. */
export interface AdapterDefinition<Announced extends Capabilities, Session, Launch, Attach> {
  /**
   * The adapter's capabilities. A handler announces the capability for its request, so list only
   * the other capabilities. Set a capability to false to withhold it.
   */
  readonly capabilities?: Announced & Announceable<Announced> & NoOther<Announced>;
  /**
   * Creates the state of a session, once per connection. Specify this before the handlers, so that
   * their types are inferred.
   */
  readonly session?: (connection: AdapterConnection) => Session;
  /** Called once when the connection has ended, even without a `disconnect` request. */
  readonly onClose?: (session: Session) => unknown;
  readonly handlers: AdapterHandlers<Session, Launch, Attach> &
    (Capabilities extends Announced ? unknown : NeededAdapterHandlers<Announced>) &
    // Keep this last, because the compiler's message names the last member of a union.
    (AttachHandler | LaunchHandler);
  /**
   * Validators for the attributes of launch configurations, such as the `validateLaunchArguments`
   * that `wirewright generate` writes. A request with other attributes is refused.
   */
  readonly parameters?: {
    readonly launch?: AnyValidator;
    readonly attach?: AnyValidator;
  };
  /**
   * How the adapter counts lines and columns, and writes paths. If the client's conventions differ,
   * messages are converted. A client whose `pathFormat` is neither `path` nor `uri` is refused.
   * With `client`, messages are not converted. Default: the protocol's defaults.
   */
  readonly positions?: Positions | "client";
  /**
   * When `initialized` is sent: after the response to `initialize` (`automatic`), or whenever the
   * adapter itself sends it (`manual`). Default: `automatic`.
   */
  readonly initialized?: "automatic" | "manual";
  /**
   * Programs that host the adapter, such as Visual Studio, as returned by `openHost` in the
   * `wirewright` package. Use this during development. Messages that a host does not accept are
   * reported to the connection's `onProblem`, as `ERR_HOST`. Default: none.
   */
  readonly hosts?: readonly HostCheck[];
}

/** The adapter's side of a session. */
export interface AdapterConnection extends Connection<"adapter">, Resuming {
  /** Resolves once the connection has ended and `onClose` has returned. */
  readonly finished: Promise<void>;
  /** Shows progress that does not belong to a request. */
  progress(title: string, options?: ProgressOptions): Progress;
}

/** Connects an adapter to a client over a transport. */
export type Adapter<Session = unknown> = (
  transport: Transport,
  options?: Omit<ConnectOptions<"adapter">, "handlers">,
) => AdapterConnection & { readonly session: Session };

/**
 * How lines and columns are counted, and how paths are written. The defaults are the protocol's.
 */
export interface Positions {
  /** Whether lines are counted from 1. Default: true. */
  readonly linesStartAt1?: boolean;
  /** Whether columns are counted from 1. Default: true. */
  readonly columnsStartAt1?: boolean;
  /** How paths are written: `path` or `uri`. Default: `path`. */
  readonly pathFormat?: string;
}
