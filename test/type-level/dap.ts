/**
 * Tests the guarantees that the generated DAP types make. Compiling this file is the test; its code
 * never runs.
 */
import {
  classify,
  isErrorResponse,
  isEvent,
  isRequest,
  isResponse,
  isStackTraceResponse,
  mergeCapabilities,
  type requests,
  supports,
  type AdapterToClient,
  type ResultOf,
  type Breakpoint,
  type Capabilities,
  type ClientToAdapter,
  type ConfigurationDoneArguments,
  type CustomEvent,
  type CustomMessage,
  type CustomRequest,
  type EventNameFrom,
  type Events,
  type InitializeRequestArguments,
  type KnownMessage,
  type LaunchRequest,
  type LaunchRequestArguments,
  type NextRequest,
  type ParametersOf,
  type RequestName,
  type RequestNameFrom,
  type Requests,
  type RestartArguments,
  type Source,
  type StackTraceResponse,
  type StackTraceResponseBody,
  type StoppedEvent,
} from "@wirewright/dap";
import {
  assertValid,
  isValid,
  isValidStackTraceResponse,
  validate,
  validateStackTraceResponse,
  type ValidationDeviation,
  type ValidationIssue,
} from "@wirewright/dap/validators";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_Holds extends true>(): void {}

// A switch over the discriminators narrows requests, events and responses.
export function narrows(message: KnownMessage): void {
  if (message.type === "event") {
    if (message.event === "stopped") assertType<Equal<typeof message, StoppedEvent>>();
  } else if (message.type === "request") {
    if (message.command === "next") assertType<Equal<typeof message, NextRequest>>();
    // @ts-expect-error TS2367: "stepp" is not a command.
    if (message.command === "stepp") return;
  } else if (message.command === "stackTrace") {
    assertType<Equal<typeof message, StackTraceResponse>>();
    if (message.success) assertType<Equal<typeof message.body, StackTraceResponseBody>>();
    else assertType<Equal<typeof message.command, "stackTrace">>();
  }
}

// `success` distinguishes success from failure.
export function splits(response: StackTraceResponse): string | number {
  if (!response.success) return response.body?.error?.format ?? response.message ?? "failed";
  // @ts-expect-error TS2339: a successful response has no error.
  response.body.error;
  return response.body.stackFrames[0]?.line ?? 0;
}

// The types accept messages as they are on the wire.
export const next: NextRequest = {
  seq: 1,
  type: "request",
  command: "next",
  arguments: { threadId: 1 },
};
// @ts-expect-error TS2322: the kind is misspelt.
export const wrongKind: NextRequest = { ...next, type: "requst" };
// @ts-expect-error TS2322: this is the command of another request.
export const wrongCommand: NextRequest = { ...next, command: "stepOut" };
export const wrongResponse: StackTraceResponse = {
  seq: 1,
  type: "response",
  request_seq: 1,
  success: true,
  // @ts-expect-error TS2322: a response must carry the same command as its request.
  command: "scopes",
  body: { stackFrames: [] },
};

// An open enum suggests its values, but accepts others as well. A closed enum does not.
export const vendorReason: StoppedEvent["body"]["reason"] = "vendor specific";
// @ts-expect-error TS2322: `Breakpoint.reason` is closed.
export const closedReason: NonNullable<Breakpoint["reason"]> = "vendor specific";
assertType<Equal<Extract<StoppedEvent["body"]["reason"], "step">, "step">>();

// Misspelt properties are found, and nothing is `any`.
// @ts-expect-error TS2353: `sourceRefrence` is not a property.
export const misspelt: Source = { sourceRefrence: 1 };
assertType<Equal<Source["adapterData"], unknown>>();
assertType<Equal<NonNullable<InitializeRequestArguments["clientID"]>, string>>();

// Launch arguments have the type declared by the adapter.
interface MyLaunch extends LaunchRequestArguments {
  program: string;
}
export function launch(general: LaunchRequest, mine: LaunchRequest<MyLaunch>): string {
  assertType<Equal<(typeof general.arguments)["program"], unknown>>();
  return mine.arguments.program;
}
// @ts-expect-error TS2344: launch arguments must be compatible with the protocol's definition.
export type NotLaunch = LaunchRequest<{ noDebug: string }>;
export const restart: RestartArguments = { arguments: { program: "a.out", noDebug: true } };
export const restartMine: RestartArguments = { arguments: { program: "a.out" } satisfies MyLaunch };

// An object type without properties does not accept primitives, arrays or functions.
export const empty: ConfigurationDoneArguments = {};
// @ts-expect-error TS2559
export const notEmpty: ConfigurationDoneArguments = 5;
// @ts-expect-error TS2559
export const notEmptyList: ConfigurationDoneArguments = [1];

// The adapter sends reverse requests, and responses to ordinary requests.
export function receive(fromAdapter: AdapterToClient, fromClient: ClientToAdapter): void {
  if (fromAdapter.type === "request")
    assertType<Equal<typeof fromAdapter.command, "runInTerminal" | "startDebugging">>();
  // @ts-expect-error TS2367: clients do not send events.
  if (fromClient.type === "event") return;
}
assertType<Equal<RequestNameFrom<"adapter">, "runInTerminal" | "startDebugging">>();
assertType<Equal<RequestNameFrom<"client"> | RequestNameFrom<"adapter">, RequestName>>();
assertType<Equal<EventNameFrom<"client">, never>>();

// Custom messages do not prevent narrowing.
type Heat = CustomEvent<"vendor/heat", { celsius: number }>;
export function custom(message: AdapterToClient<Heat | CustomMessage>): void {
  if (message.type !== "event") return;
  switch (message.event) {
    case "stopped":
      assertType<Equal<typeof message, StoppedEvent>>();
      break;
    case "vendor/heat":
      assertType<Equal<typeof message.body, { celsius: number } | undefined>>();
      break;
  }
}

// Guards narrow the type of a message.
export function guards(value: unknown, message: AdapterToClient): void {
  if (isEvent(message, "stopped")) assertType<Equal<typeof message, StoppedEvent>>();
  // @ts-expect-error TS2769: a guard requires a message, not any JSON.
  if (isRequest(value, "setBreakpoints")) void value;
  // @ts-expect-error TS2345: a guard requires a message, not any JSON.
  if (isStackTraceResponse(value)) void value;
  const classified = classify(value);
  const any = classified.message;
  if (classified.status === "malformed") assertType<Equal<typeof classified.reason, string>>();
  // A malformed value has no kind, name or message.
  if (classified.status === "malformed") assertType<Equal<typeof classified.message, undefined>>();
  if (any === undefined) return;
  if (isRequest(any, "setBreakpoints")) assertType<Equal<typeof any.arguments.source, Source>>();
  if (isResponse(any, "stackTrace")) assertType<Equal<typeof any, StackTraceResponse>>();
  if (isStackTraceResponse(any)) assertType<Equal<typeof any, StackTraceResponse>>();
  if (isRequest(any, "vendor/mine")) assertType<Equal<typeof any, CustomRequest>>();
  if (isErrorResponse(any)) assertType<Equal<typeof any.success, false>>();
  if (classified.status === "known" && classified.kind === "event")
    assertType<Equal<typeof classified.name, keyof Events>>();
  if (classified.kind === "event" && classified.status === "known") {
    if (classified.name === "stopped") assertType<Equal<typeof classified.message, StoppedEvent>>();
  }
  if (classified.status === "known" && classified.kind === "request")
    if (classified.name === "setBreakpoints")
      assertType<Equal<typeof classified.message.arguments.source, Source>>();
}

// A call takes arguments exactly where the protocol requires them.
declare function send<Name extends RequestNameFrom<"client">>(
  name: Name,
  ...parameters: ParametersOf<Name>
): Promise<ResultOf<Name>>;
export async function sends(args: MyLaunch): Promise<void> {
  const { threads } = await send("threads");
  assertType<Equal<(typeof threads)[number]["id"], number>>();
  await send("next", { threadId: 1 });
  await send("cancel");
  await send("cancel", { requestId: 1 });
  await send("launch", args);
  await send("launch", { program: "a.out" });
  assertType<Equal<ResultOf<"readMemory">, Requests["readMemory"]["result"]>>();
  assertType<Equal<undefined extends ResultOf<"readMemory"> ? true : false, true>>();
  // @ts-expect-error TS2554: `next` requires arguments.
  await send("next");
  // @ts-expect-error TS2554: `threads` takes no arguments.
  await send("threads", {});
  // @ts-expect-error TS2345: the client does not send reverse requests.
  await send("runInTerminal", { cwd: "/", args: [] });
}
assertType<Equal<typeof requests.stepBack.capability, "supportsStepBack">>();
assertType<Equal<typeof requests.stepBack.direction, "client-to-adapter">>();
assertType<Equal<Requests["goto"]["capability"], "supportsGotoTargetsRequest">>();
assertType<Equal<Events["memory"]["capability"], "supportsMemoryEvent">>();
assertType<
  Equal<typeof requests extends Readonly<Record<RequestName, object>> ? true : false, true>
>();

// One side's capabilities apply to messages from the other side.
export function capabilities(
  adapter: Capabilities,
  client: InitializeRequestArguments,
): Capabilities {
  supports(adapter, "goto");
  supports(client, "runInTerminal");
  supports(client, "progressStart");
  supports(undefined, "goto");
  // @ts-expect-error TS2769: there is no message of this name.
  supports(adapter, "gotoo");
  return mergeCapabilities(undefined, adapter);
}

// On success, the type of the value is known. Only a failure has issues.
export function validates(value: unknown): void {
  if (isValidStackTraceResponse(value)) assertType<Equal<typeof value, StackTraceResponse>>();
  else assertType<Equal<typeof value, unknown>>();
  if (isValid(value)) assertType<Equal<typeof value, KnownMessage | CustomMessage>>();
  const result = validateStackTraceResponse(value, { profile: "wire" });
  // @ts-expect-error TS2339: it is not yet known whether there are issues.
  void result.issues;
  // @ts-expect-error TS2339: it is not yet known whether there is a message.
  void result.message;
  if (result.ok) {
    assertType<Equal<typeof result.value, StackTraceResponse>>();
    assertType<Equal<typeof result.deviations, readonly ValidationDeviation[]>>();
    // @ts-expect-error TS2339: a valid result has no issues.
    void result.issues;
  } else assertType<Equal<typeof result.issues, readonly ValidationIssue[]>>();
  const any = validate(value);
  if (any.ok && any.value.type === "event" && any.value.event === "stopped")
    assertType<Equal<typeof any.value, StoppedEvent>>();
  // @ts-expect-error TS2322: there is no tolerance of this name.
  validate(value, { tolerate: ["nothing"] });
  assertValid(value);
  assertType<Equal<typeof value, KnownMessage | CustomMessage>>();
}
