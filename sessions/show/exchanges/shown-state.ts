import { LatestEntries } from "../../../runtime/base/latest-entries.js";
import type { StateChange, StateGroup } from "../../judge/table/rule-table.js";

/** Maximum number of objects to remember in a group. Once it is reached, the oldest are dropped. */
const maxItems = 5_000;

/** Maximum number of requests whose parameters are kept until the response arrives. */
const maxRequests = 1_000;

/** Maximum length of a value shown for an object, in characters. */
const maxText = 200;

/**
 * The message in which a role announces its capabilities. `field` is the payload property that
 * contains them.
 */
export interface ShownCapabilities {
  readonly role: string;
  /**
   * Selector of the message that lists all capabilities. `update` is the event that updates them.
   */
  readonly message: string;
  readonly field?: string;
  readonly update?: { readonly message: string; readonly field: string };
}

/** A message that may change the state of a session. */
export interface StateMessage {
  readonly row: number;
  readonly kind: "request" | "response" | "event";
  readonly name: string;
  readonly hasFailed: boolean;
  /** Row of the request that this message answers, or -1 if it is not a response. */
  readonly answers: number;
}

export interface StateItem {
  readonly id: string;
  /** The texts to show for the item, by topic. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * The item's owner, such as a thread. `scope` identifies the set of items that a single message
   * replaces together.
   */
  readonly of: string;
  readonly scope: string;
  /** Row of the message that last changed the item. */
  readonly row: number;
}

/** Which of the program's threads are stopped, and since when. */
interface ProgramState {
  /** Rows of the events that reported a stop, by thread. The key "" means all threads. */
  readonly stops: Map<string, number>;
  /** Rows at which individual threads resumed after all threads had stopped. */
  readonly runs: Map<string, number>;
  /** Row at which the program last resumed, or -1 if it never did. */
  ranAt: number;
}

/** The state of a session as shown in the inspector, updated message by message. */
export class ShownState {
  readonly groups: readonly StateGroup[];
  readonly capabilities: readonly ShownCapabilities[];
  readonly items: readonly Map<string, StateItem>[];
  /** Each role's capabilities, with the values that it announced. */
  readonly announced = new Map<string, Map<string, unknown>>();
  readonly program: ProgramState = { stops: new Map(), runs: new Map(), ranAt: -1 };
  readonly #requests = new LatestEntries<number, unknown>(maxRequests);

  constructor(groups: readonly StateGroup[], capabilities: readonly ShownCapabilities[]) {
    this.groups = groups;
    this.capabilities = capabilities;
    this.items = groups.map(() => new Map());
  }

  /**
   * Updates the state with the next message. A failure changes nothing.
   *
   * @param payload The message's payload.
   */
  follow({ kind, row, name, hasFailed, answers }: StateMessage, payload: unknown): void {
    if (hasFailed) return;
    const selector = `${kind === "response" ? "success" : kind} ${name}`;
    this.#announce(selector, payload);
    if (kind === "request") this.#requests.set(row, payload);
    const request = kind === "response" ? this.#requests.get(answers) : payload;
    if (kind === "response") this.#requests.delete(answers);
    for (const [index, { changes }] of this.groups.entries()) {
      const change = changes.find((candidate) => applies(candidate, selector, payload));
      if (change === undefined) continue;
      const of = this.#ownerOf(change, request);
      apply(this.items[index]!, change, { row, payload, request, of });
    }
  }

  /** Called when one or all threads have stopped. */
  stop(thread: number | string | undefined, row: number): void {
    const { stops, runs } = this.program;
    if (thread === undefined) {
      stops.clear();
      runs.clear();
    }
    runs.delete(String(thread));
    stops.set(thread === undefined ? "" : String(thread), row);
  }

  /**
   * Called when one or all threads have resumed.
   *
   * @param since Row of the message that caused them to resume.
   */
  resume(thread: number | string | undefined, since: number): void {
    const { stops, runs } = this.program;
    const id = thread === undefined ? undefined : String(thread);
    for (const [stopped, row] of stops)
      if ((id === undefined || stopped === id) && row < since) stops.delete(stopped);
    if (id !== undefined) runs.set(id, since);
    else this.program.ranAt = since;
    for (const [index, { expires }] of this.groups.entries())
      if (expires === true)
        for (const [key, item] of this.items[index]!)
          if (item.row < since && (id === undefined || item.of === id))
            this.items[index]!.delete(key);
  }

  /** Returns the owner, such as a thread, of the objects in a message. */
  #ownerOf({ of, in: title }: StateChange, request: unknown): string {
    const id = of === undefined ? undefined : valueAt(request, of);
    if (id === undefined) return "";
    const holder = this.groups.findIndex((group) => group.title === title);
    return holder < 0 ? shownText(id) : (this.items[holder]!.get(keyOf(id))?.of ?? "");
  }

  #announce(selector: string, payload: unknown): void {
    for (const { role, message, field, update } of this.capabilities) {
      const isAll = selector === message;
      if (!isAll && selector !== update?.message) continue;
      const path = isAll ? field : update?.field;
      const flags = path === undefined ? payload : valueAt(payload, path);
      if (typeof flags !== "object" || flags === null) continue;
      const capabilities = isAll
        ? new Map<string, unknown>()
        : (this.announced.get(role) ?? new Map());
      for (const [flag, value] of Object.entries(flags))
        if (typeof value === "boolean" || Array.isArray(value)) capabilities.set(flag, value);
      this.announced.set(role, capabilities);
    }
  }
}

interface Change {
  readonly row: number;
  readonly payload: unknown;
  /** The payload of the request, if the message is a response. Otherwise, the message's payload. */
  readonly request: unknown;
  readonly of: string;
}

function apply(
  items: Map<string, StateItem>,
  change: StateChange,
  { row, payload, request, of }: Change,
): void {
  const { each, id: path, except, ends, replaces, shows = [] } = change;
  const scope = scopeOf(change, request);
  if (replaces !== undefined)
    for (const [key, item] of items) if (item.scope === scope) items.delete(key);
  const list = each === undefined ? [payload] : listAt(payload, each);
  const requested =
    change.asked?.each === undefined ? undefined : listAt(request, change.asked.each);
  for (const [index, value] of list.entries()) {
    const id = path === "" ? value : valueAt(value, path);
    if (id !== undefined && id === except) continue;
    const key = id === undefined ? `${scope} ${index}` : keyOf(id);
    if (ends === true) {
      items.delete(key);
      continue;
    }
    const old = items.get(key);
    const texts = new Map(old?.texts);
    if (change.asked !== undefined)
      addTexts(texts, change.asked.shows, requested === undefined ? request : requested[index]);
    // A message that changes an object describes the object in full. If a property is missing,
    // remove the old text about that property.
    addTexts(texts, shows, value, old !== undefined);
    if (old === undefined && items.size >= maxItems) items.delete(items.keys().next().value!);
    items.set(key, {
      id: id === undefined ? "" : shownText(id),
      texts,
      of: of === "" ? (old?.of ?? "") : of,
      scope: replaces === undefined ? (old?.scope ?? "") : scope,
      row,
    });
  }
}

function keyOf(id: unknown): string {
  return `${typeof id} ${shownText(id)}`;
}

/**
 * Returns the scope of the objects in a message. The message replaces all known objects in this
 * scope.
 */
function scopeOf({ message, replaces = [] }: StateChange, request: unknown): string {
  const values = replaces.map((path) => valueAt(request, path));
  const value = values.find((candidate) => candidate !== undefined && candidate !== null);
  const kind = typeof message === "string" ? message : message.join();
  return value === undefined ? kind : `${kind} ${shownText(value)}`;
}

/** Adds texts about an object. A new text replaces any old text about the same property. */
function addTexts(
  texts: Map<string, string>,
  shows: readonly string[],
  value: unknown,
  isChange = false,
): void {
  for (const show of shows) {
    const space = show.lastIndexOf(" ");
    const label = space < 0 ? "" : show.slice(0, space);
    const property = propertyOf(show);
    const shownValue = show
      .slice(space + 1)
      .split("|")
      .map((path) => valueAt(value, path))
      .find((candidate) => candidate !== undefined && candidate !== null);
    if (shownValue === undefined) {
      if (isChange) texts.delete(property);
      continue;
    }
    const text =
      typeof shownValue === "boolean"
        ? `${shownValue ? "" : "not "}${label === "" ? property : label}`
        : `${label} ${shownText(shownValue)}`.trim();
    texts.set(property, text);
  }
}

/**
 * Returns the name of the property that a text shows, for example `line` for
 * `line breakpoint/line`.
 */
function propertyOf(show: string): string {
  const [path = ""] = show.slice(show.lastIndexOf(" ") + 1).split("|");
  return path.slice(path.lastIndexOf("/") + 1);
}

function applies({ message, if: tests = {} }: StateChange, selector: string, payload: unknown) {
  if (typeof message === "string" ? message !== selector : !message.includes(selector))
    return false;
  return Object.entries(tests).every(([path, values]) => values.includes(valueAt(payload, path)));
}

function valueAt(value: unknown, path: string): unknown {
  let part = value;
  for (const name of path.split("/")) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Record<string, unknown>)[name];
  }
  return part;
}

function listAt(value: unknown, path: string): readonly unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}

function shownText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text;
}
