import { visible } from "../../generator/base/visible-text.js";
import type { SourceVerdict } from "../compare/rule-family.js";
import type { Finding, Sighting } from "../finding.js";
import type { BumpAdvice } from "../version-bump.js";

/** Describes a finding by the part that has changed and how it has changed. */
export function subjectText({ rule, at, message: change }: Finding): string {
  const [, sign, rest] = /^([+-]) (.*)$/s.exec(change) ?? [];
  if (sign === undefined || rest === undefined) return `${at}: ${change}`;
  if (/^message\./.test(rule)) return rest === visible(at) ? change : `${at}: ${change}`;
  return /^(enum|union)\./.test(rule)
    ? `${sign} ${at}`
    : `${sign} ${at.slice(0, at.lastIndexOf(".") + 1)}${rest}`;
}

/** For each side whose code stops compiling, describes which code fails. */
export function sourceTexts({ source }: Pick<Finding, "source">): readonly string[] {
  return Object.entries(source).flatMap(([role, verdict]) => {
    const text = sourceText(verdict);
    return text === "" ? [] : [`${role} code: ${text}`];
  });
}

/** Describes the effects on messages and code in one line. */
export function verdictsText({ wire, source }: Pick<Finding, "wire" | "source">): string {
  const texts = Object.entries(wire).map(([pair, verdict]) => `${pairText(pair)}: ${verdict}`);
  return [...texts, ...sourceTexts({ source })].join("; ");
}

/** Spells out a pair such as `new-client/old-adapter` in words. */
export function pairText(pair: string): string {
  return pair.replaceAll("-", " ").replace("/", ", ");
}

/** Describes how code is affected. Returns an empty string if it still compiles. */
export function sourceText({ compiles, error, when, exhaustive }: SourceVerdict): string {
  const errors = {
    missing: "lacks a property",
    type: "uses a different type",
    excess: "names a part that no longer exists",
    removed: "reads a removed part",
    overlap: "compares values that cannot be equal",
  };
  const where = {
    always: "",
    "direct-use": " where it uses the part directly",
    "whole-value": " where it does not tell the alternatives apart",
    sometimes: "",
  };
  if (!compiles && when === "sometimes") return "may break, because it uses a different type";
  if (!compiles) return `breaks${where[when ?? "always"]}, because it ${errors[error ?? "type"]}`;
  return exhaustive ? "exhaustive switches break" : "";
}

/** Formats a location in a recording or in code. */
export function sightingText({ file, line, column, offset }: Sighting): string {
  const at = line === undefined ? (offset === undefined ? "" : `, byte ${offset}`) : `:${line}`;
  return visible(`${file}${at}${column === undefined ? "" : `:${column}`}`);
}

/** Describes the required version step, and whether the claimed step is large enough. */
export function bumpText(bump: BumpAdvice): string {
  const { wire, source, needed, claimed, suffices } = bump;
  const base = `version step: ${needed} (wire ${wire}, code ${source})`;
  if (claimed === undefined) return base;
  return `${base}; claimed ${claimed}, which ${suffices === true ? "suffices" : "is too small"}`;
}
