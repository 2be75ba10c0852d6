import type { Message } from "../model/protocol.js";
import { receiverOf } from "../model/queries.js";
import type { Gate, Json, Type } from "../model/types.js";
import { AcceptedValues } from "./compare/accepted-values.js";
import type { Change } from "./compare/change.js";
import type { Pair } from "./compare/definition-pairs.js";
import type { Effort } from "./compare/effort.js";
import type {
  DiffOptions,
  Finding,
  FindingPlace,
  ReaderPolicy,
  Verdict,
  Witness,
} from "./finding.js";
import {
  ruleBy,
  type DiffRule,
  type DiffRuleId,
  type Sign,
  type SourceVerdict,
} from "./compare/rules.js";
import type { Side } from "./compare/side.js";
import { smallestValue } from "./compare/smallest-values.js";
import { visible } from "../base/visible-text.js";
import { isProvable, levelOf, verdictOf, worstVerdict } from "./verdicts.js";
import { embed, pathText } from "./witness.js";

/** Two versions that meet: who is new, and who is old. */
interface Meeting {
  readonly name: string;
  readonly newRole: string;
  readonly oldRole: string;
}

/** How a change is reached: directly as a message, or through a pair of definitions. */
interface Draft {
  readonly rule: DiffRule;
  readonly change: Change;
  readonly pairs: Pair[];
  readonly receivers: Set<string>;
  readonly messages: Set<string>;
  /** The message, if the change is one of a whole message. */
  readonly message?: VersionsOfMessage;
}

interface VersionsOfMessage {
  readonly before?: Message;
  readonly after?: Message;
}

/** Makes findings of changes: one per change, however many places lead to it. */
export class FindingBuilder {
  readonly pairNames: readonly [string, string];
  readonly #before: Side;
  readonly #after: Side;
  readonly #options: DiffOptions;
  readonly #reader: ReaderPolicy;
  readonly #meetings: readonly [Meeting, Meeting];
  /** Of the old and of the new version: what its schema allows, and what its readers take. */
  readonly #written: readonly AcceptedValues[];
  readonly #read: readonly AcceptedValues[];
  readonly #drafts = new Map<string, Draft>();
  readonly #byChange = new Map<Change, Draft>();

  constructor(before: Side, after: Side, options: DiffOptions, effort: Effort) {
    this.#before = before;
    this.#after = after;
    this.#options = options;
    this.#reader = options.reader ?? "tolerant";
    const isClosed = this.#reader === "strict";
    this.#written = [before, after].map((side) => new AcceptedValues(side, false, effort));
    this.#read = [before, after].map((side) => new AcceptedValues(side, isClosed, effort));
    const [first, second] = after.protocol.roles;
    this.#meetings = [
      { name: `new-${first}/old-${second}`, newRole: first, oldRole: second },
      { name: `old-${first}/new-${second}`, newRole: second, oldRole: first },
    ];
    this.pairNames = [this.#meetings[0].name, this.#meetings[1].name];
  }

  /** Adds a change of a whole message. */
  addMessage(
    id: DiffRuleId,
    before: Message | undefined,
    after: Message | undefined,
    change: string,
    old = before?.name ?? "",
    now = after?.name ?? "",
  ): void {
    const message = (after ?? before)!;
    const isOld = after === undefined;
    const { roles } = this.#after.protocol;
    const side = isOld ? this.#before : this.#after;
    const receivers =
      message.sender === "both" ? roles : [receiverOf(side.protocol, message.sender)];
    const label = `${message.name} ${message.kind}`;
    const gate = message.gate;
    this.#draft(
      {
        id,
        site: {
          owner: `${message.kind} ${message.name}`,
          label: "",
          steps: [],
          ...(before?.at === undefined ? {} : { before: before.at }),
          ...(after?.at === undefined ? {} : { after: after.at }),
        },
        change:
          change === "+" || change === "-" ? `${change} ${message.kind} ${message.name}` : change,
        old,
        new: now,
        ...(gate === undefined ? {} : { gate }),
      },
      receivers,
      [label],
      {
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      },
    );
  }

  /** Adds a change that was found in a pair of definitions. */
  add(change: Change, pair: Pair): void {
    const draft = this.#draft(change, pair.ways.keys(), pair.messages);
    draft.pairs.push(pair);
  }

  #draft(
    change: Change,
    receivers: Iterable<string>,
    messages: Iterable<string>,
    message?: VersionsOfMessage,
  ): Draft {
    const known = this.#byChange.get(change);
    if (known !== undefined) return this.#reach(known, receivers, messages);
    const rule = ruleBy(change.id);
    // What a base states is found in all that derive from it.
    const { owner, label, before = owner, after = owner } = change.site;
    const key = `${change.id} ${before} ${after} ${owner}${label}`;
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      draft = {
        rule,
        change,
        pairs: [],
        receivers: new Set(),
        messages: new Set(),
        ...(message === undefined ? {} : { message }),
      };
      this.#drafts.set(key, draft);
    }
    this.#byChange.set(change, draft);
    return this.#reach(draft, receivers, messages);
  }

  #reach(draft: Draft, receivers: Iterable<string>, messages: Iterable<string>): Draft {
    for (const receiver of receivers) draft.receivers.add(receiver);
    for (const message of messages) draft.messages.add(message);
    return draft;
  }

  findings(): readonly Finding[] {
    return [...this.#drafts.values()].map((draft) => this.#finding(draft));
  }

  #finding(draft: Draft): Finding {
    const { rule, change } = draft;
    const receivers = this.#after.protocol.roles.filter((role) => draft.receivers.has(role));
    const wire = Object.fromEntries(
      this.#meetings.map((meeting) => [
        meeting.name,
        worstVerdict(
          receivers.map((role) => verdictOf(this.#sign(draft, meeting, role), this.#reader)),
        ),
      ]),
    );
    const source = Object.fromEntries(
      this.#after.protocol.roles.map((role) => [role, sourceVerdict(rule, role, receivers)]),
    );
    const level = levelOf(rule, Object.values(wire), Object.values(source));
    const before = place(this.#options.locateBefore, change.site.before);
    const after = place(this.#options.locateAfter, change.site.after);
    return {
      id: rule.id,
      level,
      at: `${change.site.owner}${change.site.label}`,
      path: this.#path(draft, receivers),
      change: visible(change.change ?? ""),
      reason: visible(reasonText(rule, change)),
      receivers,
      messages: [...draft.messages].sort(),
      ...(change.gate === undefined ? {} : { gate: change.gate }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
      wire,
      source,
      witnesses: this.#witnesses(draft, receivers, wire),
      group: `${rule.id} ${level} ${change.decision ?? `${change.site.owner}${change.site.label}`}`,
    };
  }

  /** Which way a value goes when two versions meet. */
  #sign({ rule, change }: Draft, meeting: Meeting, receiver: string): Sign {
    const forward = receiver === meeting.newRole;
    const sign = forward ? rule.oldToNew : rule.newToOld;
    const reader = forward ? this.#after : this.#before;
    const { gate } = change;
    // Nobody sends it to a peer that cannot announce the flag.
    const isHeldBack =
      sign === "lost" &&
      /^(prop|body)\./.test(rule.id) &&
      gate?.role === receiver &&
      !reader.flags.has(`${gate.role}.${gate.flag}`);
    return isHeldBack ? "ok" : sign;
  }

  #path(draft: Draft, receivers: readonly string[]): string {
    const way = draft.pairs[0]?.ways.get(receivers[0] ?? "");
    return way === undefined
      ? [...draft.messages][0]!
      : pathText(draft.pairs[0]!, receivers[0]!, draft.change.site.label);
  }

  #witnesses(
    draft: Draft,
    receivers: readonly string[],
    wire: Readonly<Record<string, Verdict>>,
  ): readonly Witness[] {
    const { rule, change } = draft;
    return this.#meetings.flatMap((meeting) => {
      if (wire[meeting.name] === "ok" && rule.area !== "constraint") return [];
      const readers = draft.message === undefined ? receivers : [meeting.newRole, meeting.oldRole];
      for (const receiver of readers) {
        if (!isProvable(rule, this.#sign(draft, meeting, receiver), this.#reader)) continue;
        const forward = receiver === meeting.newRole;
        const sender = forward ? meeting.oldRole : meeting.newRole;
        const message =
          draft.message === undefined
            ? this.#embedded(draft.pairs, change, receiver, forward)
            : this.#whole(draft.message, sender, forward);
        if (message !== undefined) return [{ pair: meeting.name, sender, message }];
      }
      return [];
    });
  }

  /** The smallest form of a message, if that side sends it at all. */
  #whole(message: VersionsOfMessage, sender: string, forward: boolean): Json | undefined {
    const sent = forward ? message.before : message.after;
    if (sent === undefined || (sent.sender !== sender && sent.sender !== "both")) return undefined;
    const writer = forward ? this.#before : this.#after;
    return smallestValue(writer, { kind: "reference", name: sent.definition });
  }

  #embedded(
    pairs: readonly Pair[],
    change: Change,
    receiver: string,
    forward: boolean,
  ): Json | undefined {
    const value = (forward ? change.oldToNew : change.newToOld)?.();
    const pair = pairs.find((each) => each.ways.has(receiver));
    if (value === undefined || pair === undefined) return undefined;
    const [from, to] = forward ? [0, 1] : [1, 0];
    const writer = forward ? this.#before : this.#after;
    const { message, root } = embed(writer, pair, receiver, change.site.steps, value, forward);
    // What is shown has been checked: the writer's types allow it, and the reader's do not.
    const types = [root.before, root.after].map((name): Type => ({ kind: "reference", name }));
    return this.#written[from]!.has(types[from]!, message) &&
      (this.#isUnknownPayload(change, root, forward) || !this.#read[to]!.has(types[to]!, message))
      ? message
      : undefined;
  }

  /** A payload where none is known: the base of messages lets it through, a reader that closes everything does not. */
  #isUnknownPayload({ id }: Change, root: Pair, forward: boolean): boolean {
    const known = forward ? root.payload?.after : root.payload?.before;
    return this.#reader === "strict" && id.startsWith("body.") && known === undefined;
  }
}

function sourceVerdict(rule: DiffRule, role: string, receivers: readonly string[]): SourceVerdict {
  const { exhaustive } = rule;
  // A side that sends it builds such values, a side that gets it reads them.
  const verdicts = receivers.map((receiver) => (receiver === role ? rule.consumer : rule.producer));
  const worst =
    verdicts.find((verdict) => !verdict.compiles && verdict.when === "always") ??
    verdicts.find((verdict) => !verdict.compiles) ??
    verdicts[0];
  return { ...(worst ?? { compiles: true }), exhaustive };
}

function place(
  locate: DiffOptions["locateAfter"],
  pointer: string | undefined,
): FindingPlace | undefined {
  if (pointer === undefined || pointer === "") return undefined;
  return locate === undefined ? { pointer } : locate(pointer);
}

function reasonText(rule: DiffRule, change: Change): string {
  const gate = (each: Gate | undefined): string =>
    each === undefined ? "a capability" : `${each.role}.${each.flag}`;
  const parts = { before: change.old ?? "", after: change.new ?? "", gate: gate(change.gate) };
  return rule.reason.replaceAll(
    /\{(before|after|gate)\}/g,
    (_, name: keyof typeof parts) => parts[name],
  );
}
