import { isAnnounced, isObject } from "../../../runtime/index.js";
import type { Protocol } from "../../../generator/model/protocol.js";
import { shortName } from "../../read/remembered.js";
import type { JudgedMessage } from "./judged-message.js";
import type { Doubt, Gap, SessionKnowledge } from "./knowledge.js";
import type { JudgedProtocol } from "./judged-protocol.js";

/**
 * Tests an announced capability. `true`: it was announced. `false`: it was not announced.
 * `default`: it was announced or not mentioned. `is` and `isNot` compare the announced string.
 */
export type CapabilityTest =
  boolean | "default" | { readonly is: readonly string[] } | { readonly isNot: readonly string[] };

/** Tracks the capabilities that each role has announced. */
export class AnnouncedCapabilities {
  readonly #protocol: Protocol;
  readonly #judged: JudgedProtocol;
  readonly #knowledge: SessionKnowledge;
  /**
   * Roles that have announced all their capabilities. Roles that have only announced changes are
   * not included.
   */
  readonly #told = new Set<string>();
  readonly #needed: ReadonlyMap<string, ReadonlySet<string>>;
  #version = 0;
  /**
   * The parsed capability strings from rules: maps a string such as `adapter.supportsStepBack` to
   * its role and capability.
   */
  readonly #parsed: ReadonlyMap<string, Flag>;
  /** For each role, whether it has announced each capability that rules depend on. */
  readonly #announced = new Map<string, Map<string, boolean>>();
  /** The announced strings for capabilities that rules name. */
  readonly #texts = new Map<string, string>();

  /**
   * @param flags Additional capabilities that rules depend on, such as `adapter.supportsStepBack`.
   */
  constructor(judged: JudgedProtocol, knowledge: SessionKnowledge, flags: readonly string[]) {
    this.#protocol = judged.protocol;
    this.#judged = judged;
    this.#knowledge = knowledge;
    this.#parsed = new Map(flags.map((each) => [each, parseFlag(each)]));
    this.#needed = new Map(
      [...judged.neededCapabilities].map(([role, own]) => [
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

  /**
   * Version number of the announced capabilities. It changes whenever the capabilities, or what is
   * known about them, may have changed.
   */
  get version(): number {
    const doubts = (["own order", "no loss"] as const).map((each) => this.#knowledge.gapOf(each));
    return this.#version * 3 + doubts.filter((each) => each !== undefined).length;
  }

  /** Returns whether a role is known to have announced a capability. */
  has(role: string, flag: string): boolean {
    return this.#announced.get(role)?.get(flag) === true;
  }

  /**
   * Returns why it is unknown whether a role has announced a capability, or undefined if it is
   * known.
   */
  gapOf(role: string, flag: string): Gap | undefined {
    const gap = this.#knowledge.gapOf("own order");
    if (gap !== undefined) return gap;
    if (this.has(role, flag)) return undefined;
    const isKnown = this.#told.has(role) || this.#announced.get(role)?.has(flag) === true;
    if (!isKnown) return "capabilities";
    // A lost message may have announced the capability.
    const mayChange = this.#judged.capabilitySources[role]?.update !== undefined;
    return mayChange ? this.#knowledge.gapOf("no loss") : undefined;
  }

  /**
   * Returns whether all tests hold, or may hold because a capability is unknown. In the latter
   * case, adds the reason to `doubt`.
   */
  areMet(flags: Readonly<Record<string, CapabilityTest>> = {}, doubt: Doubt): boolean {
    return Object.entries(flags).every(([flag, test]) => this.isMet(flag, test, doubt));
  }

  /** @param flag A role and one of its capabilities: `adapter.supportsStepBack`. */
  isMet(flag: string, test: CapabilityTest, doubt: Doubt): boolean {
    const { role, name } = this.#parsed.get(flag)!;
    const gap = this.gapOf(role, name);
    doubt.add(gap);
    if (gap !== undefined) return true;
    const value = this.#announced.get(role)?.get(name);
    if (typeof test === "boolean") return (value === true) === test;
    if (test === "default") return value !== false;
    const text = this.#texts.get(flag);
    return "is" in test
      ? text !== undefined && test.is.includes(text)
      : text === undefined || !test.isNot.includes(text);
  }

  follow({ kind, from, name, fields, unknown }: JudgedMessage): void {
    const source = this.#judged.capabilitySources[from];
    if (source === undefined) return;
    const { envelope } = this.#protocol;
    const { request, part, update } = source;
    const isOwn = part === "payload" ? kind === "request" : kind === "response";
    if (name === request && isOwn) {
      const field = part === "payload" ? envelope.request.payload : envelope.response?.result;
      if (unknown?.includes(`/${field}`) !== true) this.#told.add(from);
      this.#version++;
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
