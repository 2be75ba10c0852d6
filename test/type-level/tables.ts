/**
 * Tests that the tables in generated packages have the types that programs rely on. Compiling this
 * file is the test.
 */
import * as acp from "@wirewright/acp-breakpoints";
import * as dap from "@wirewright/dap";
import * as ruby from "@wirewright/ruby-debug-ide";
import * as sqltools from "@wirewright/sqltools";
import type {
  MessageFacts,
  ProtocolDescription,
} from "../../runtime/protocol/protocol-description.js";

/** A table in which each message has a name of its own. */
type Named<Name extends string> = {
  readonly [Each in Name]: MessageFacts & { readonly name: Each };
};

export const tables = [
  acp.requests satisfies Named<acp.RequestName>,
  acp.notifications satisfies Named<acp.NotificationName>,
  acp.protocol satisfies ProtocolDescription,
  dap.requests satisfies Named<dap.RequestName>,
  dap.events satisfies Named<dap.EventName>,
  dap.protocol satisfies ProtocolDescription,
  ruby.requests satisfies Named<ruby.RequestName>,
  ruby.elements satisfies Named<ruby.ElementName>,
  ruby.protocol satisfies ProtocolDescription,
  sqltools.requests satisfies Named<sqltools.RequestName>,
  sqltools.notifications satisfies Named<sqltools.NotificationName>,
  sqltools.protocol satisfies ProtocolDescription,
  dap.requests.next.direction satisfies "client-to-adapter",
  dap.requests.stepBack.capability satisfies "supportsStepBack",
  dap.events.stopped.sender satisfies "adapter",
] as const;
