import { isAnnounced, isObject } from "../../../runtime/index.js";
import type { Protocol } from "../../model/protocol.js";
import { shortName } from "../../session/remembered.js";
import type { JudgedMessage } from "./judged-message.js";
import type { SessionExtent } from "./session-extent.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/** `true`: it is announced; `false`: it is not; `default`: it is announced, or nothing is said of it. `is`, `isNot`: the text that is announced. */
export type FlagTest =
  boolean | "default" | { readonly is: readonly string[] } | { readonly isNot: readonly string[] };

/** What of a session is in the recording. */
interface Heard {
  readonly isOneSided: boolean;
  readonly extent: SessionExtent;
}

/** What each role has announced to be able to do. */
export class AnnouncedCapabilities {
  readonly #protocol: Protocol;
  readonly #judged: JudgedProtocol;
  readonly #heard: Heard;
  /** Roles that have announced all that they can do, and not only changes. */
  readonly #told = new Set<string>();
  readonly #needed: ReadonlyMap<string, ReadonlySet<string>>;
  #version = 0;
  /** The flags of rules, as they are written. */
  readonly #parsed: ReadonlyMap<string, Flag>;
  /** By role, the flags that something depends on. */
  readonly #announced = new Map<string, Map<string, boolean>>();
  /** The texts that are announced for flags of rules. */
  readonly #texts = new Map<string, string>();

  /**
   * @param heard What of the session is in the recording.
   * @param flags More flags that something depends on: `adapter.supportsStepBack`.
   */
  constructor(judged: JudgedProtocol, heard: Heard, flags: readonly string[]) {
    this.#protocol = judged.protocol;
    this.#judged = judged;
    this.#heard = heard;
    this.#parsed = new Map(flags.map((each) => [each, parseFlag(each)]));
    this.#needed = new Map(
      [...judged.neededFlags].map(([role, own]) => [
        role,
        new Set([
          ...own,
          ...[...this.#parsed.values()]
            .filter((each) => each.role === role)
            .map(({ name }) => name),
        ]),
      ]),
    );
  }

  /** Changes when what is announced may have changed. */
  get version(): number {
    return this.#version * 2 + (this.#heard.extent === "later" ? 1 : 0);
  }

  has(role: string, flag: string): boolean {
    const announced = this.#announced.get(role);
    const { isOneSided, extent } = this.#heard;
    const isLater = extent === "later";
    // What is not in the recording may have announced anything.
    if (announced === undefined) return isOneSided || isLater;
    return announced.get(flag) ?? (isLater && !this.#told.has(role));
  }

  areMet(flags: Readonly<Record<string, FlagTest>> = {}): boolean {
    return Object.entries(flags).every(([flag, test]) => this.isMet(flag, test));
  }

  /** @param flag Such as `adapter.supportsStepBack`. */
  isMet(flag: string, test: FlagTest): boolean {
    const { role, name } = this.#parsed.get(flag)!;
    if (test === true) return this.has(role, name);
    const announced = this.#announced.get(role);
    if (announced === undefined) return false;
    const value = announced.get(name);
    if (typeof test !== "object") return test === "default" ? value !== false : value !== true;
    const text = this.#texts.get(flag);
    return "is" in test
      ? text !== undefined && test.is.includes(text)
      : text === undefined || !test.isNot.includes(text);
  }

  follow({ kind, from, name, fields }: JudgedMessage): void {
    const source = this.#judged.capabilitySources[from];
    if (source === undefined) return;
    const { envelope } = this.#protocol;
    const { request, part, update } = source;
    const isOwn = part === "payload" ? kind === "request" : kind === "response";
    if (name === request && isOwn) {
      this.#told.add(from);
      this.#version++;
      const field = part === "payload" ? envelope.request.payload : envelope.response?.result;
      const announced = fields[field ?? ""];
      this.#add(
        from,
        source.field === undefined || !isObject(announced) ? announced : announced[source.field],
      );
    }
    if (update !== undefined && kind === "event" && name === update.event) {
      const changes = fields[envelope.event.payload];
      this.#add(from, isObject(changes) ? changes[update.field] : undefined);
    }
  }

  #add(role: string, flags: unknown): void {
    if (!isObject(flags)) return;
    this.#version++;
    let announced = this.#announced.get(role);
    if (announced === undefined) this.#announced.set(role, (announced = new Map()));
    for (const flag of this.#needed.get(role)!) {
      const [outer = ""] = flag.split(".", 1);
      if (!Object.hasOwn(flags, outer)) continue;
      announced.set(flag, isAnnounced(flags, flag));
      const value = flags[flag];
      if (typeof value === "string") this.#texts.set(`${role}.${flag}`, shortName(value));
    }
  }
}

interface Flag {
  readonly role: string;
  readonly name: string;
}

function parseFlag(flag: string): Flag {
  const dot = flag.indexOf(".");
  return { role: flag.slice(0, dot), name: flag.slice(dot + 1) };
}
