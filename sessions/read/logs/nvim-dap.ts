import { maxMessageBytes } from "../../../generator/base/memory-limits.js";
import { isMessage, Senders } from "../senders.js";
import { LogClock } from "./log-clock.js";
import type { LogFormat } from "./log-format.js";
import { luaHead, LuaLog } from "./lua-text.js";

const date = /^\[[^\]]{1,9}\] (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) /;
/** Matches entries whose level shows that they repeat a message. */
const about = /^\[ ?(?:INFO|WARN|ERROR) ?\]/;
const sent = /\t"(?:request|response)"\t$/;
const received = /\t\d{1,9}\t$/;

/**
 * The log of nvim-dap, which prints messages as Lua tables:
 *
 * ```
 * [DEBUG] 2026-11-22 11:22:23 dap/session.lua:1872	"request"	{
 *   arguments = {
 * ```
 *
 * Times are whole seconds. Entries with a higher level, such as warnings, may repeat a message and
 * are ignored.
 */
export const nvimDapLog: LogFormat = {
  name: "nvim-dap",
  title: 'nvim-dap: `:lua require("dap").set_log_level("TRACE")`, the file `dap.log`',
  sign: luaHead,
  open(protocol, handle) {
    const clock = new LogClock();
    const senders = new Senders(protocol);
    const [client, server] = protocol.roles;
    return new LuaLog({
      table: ({ line, value }, bytes, head) => {
        if (!isMessage(value, protocol) || about.test(head)) return;
        const announced = sent.test(head) ? client : received.test(head) ? server : undefined;
        const from = senders.senderOf(value) ?? announced;
        const [, day, hours] = date.exec(head) ?? [];
        // The log omits the time zone. UTC will do, because only the differences between times
        // matter.
        const time = day === undefined ? undefined : clock.ofDate(`${day}T${hours}Z`);
        handle(
          {
            ...(from === undefined ? {} : { from }),
            ...(time === undefined ? {} : { time }),
            line,
            message: value,
          },
          bytes,
        );
      },
      tooLong: (line, length) =>
        handle(
          {
            line,
            fault: {
              code: "ERR_BODY_TOO_LONG",
              message: `Cannot read an entry of ${length} bytes: the limit is ${maxMessageBytes}`,
            },
          },
          length,
        ),
    });
  },
};
