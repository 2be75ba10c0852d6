/** The tables of generated packages have the shapes that the runtime reads. Compiling this file is the test. */
import * as acp from "../../generated/acp-breakpoints/index.js";
import * as dap from "../../generated/dap/index.js";
import * as ruby from "../../generated/ruby-debug-ide/index.js";
import * as sqltools from "../../generated/sqltools/index.js";
import type {
  MessageTable,
  ProtocolDescription,
} from "../../runtime/protocol/protocol-description.js";
import * as ticker from "../fixtures/ticker/generated/index.js";

export const tables = [
  acp.requests satisfies MessageTable<acp.RequestName>,
  acp.notifications satisfies MessageTable<acp.NotificationName>,
  acp.protocol satisfies ProtocolDescription,
  dap.requests satisfies MessageTable<dap.RequestName>,
  dap.events satisfies MessageTable<dap.EventName>,
  dap.protocol satisfies ProtocolDescription,
  ruby.requests satisfies MessageTable<ruby.RequestName>,
  ruby.elements satisfies MessageTable<ruby.ElementName>,
  ruby.protocol satisfies ProtocolDescription,
  sqltools.requests satisfies MessageTable<sqltools.RequestName>,
  sqltools.notifications satisfies MessageTable<sqltools.NotificationName>,
  sqltools.protocol satisfies ProtocolDescription,
  ticker.requests satisfies MessageTable<ticker.RequestName>,
  ticker.notifications satisfies MessageTable<ticker.NotificationName>,
  ticker.protocol satisfies ProtocolDescription,
] as const;
