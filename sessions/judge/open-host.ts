import { text } from "../../runtime/base/check-options.js";
import { checkArguments } from "../../generator/base/check-arguments.js";
import { readHost } from "./host-table.js";
import { LintSession } from "./lint-session.js";
import type { LintFinding } from "./rules.js";
import { openProtocol } from "./open-protocol.js";

/**
 * A host against which sessions are checked as they run. Pass it as one of the `hosts` to
 * `defineAdapter`.
 */
export interface OpenHost {
  /**
   * Starts checking a session. Each finding's message includes the host, the rule and the location.
   */
  judge(onFinding: (message: string, finding: LintFinding) => void): {
    /**
     * Checks a message.
     *
     * @param sender The role that sent the message.
     */
    see(sender: string, message: object): void;
    end(): void;
  };
}

/**
 * Opens the known behaviour of a host, such as `visual-studio`, so that sessions can be checked
 * against it as they run.
 *
 * @param host Name of a host bundled with the protocol, or path to a file.
 * @param protocol Name of a bundled protocol, or path to a description. Default: `dap`.
 * @throws InputError `ERR_ARGUMENT` or `ERR_DESCRIPTION`.
 */
export async function openHost(host: string, protocol = "dap"): Promise<OpenHost> {
  checkArguments("openHost", { host: [host, text], protocol: [protocol, text] });
  const opened = await openProtocol(protocol);
  const table = await readHost(host, opened.source);
  return {
    judge(onFinding) {
      const session = new LintSession(opened, {
        host: table,
        isFromStart: true,
        onFinding: (finding) => {
          // Ignore findings from the protocol's own rules.
          if (finding.outcome === undefined) return;
          const { rule, pointer, message } = finding;
          const place = pointer === "" ? rule : `${rule}, ${pointer}`;
          onFinding(`${table.title} (${place}): ${message}`, finding);
        },
      });
      return {
        see: (from, message) => session.push({ from, message }),
        end: () => session.end(),
      };
    },
  };
}
