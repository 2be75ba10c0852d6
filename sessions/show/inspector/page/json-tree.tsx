import type { JSX, TargetedKeyboardEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageFinding } from "../page-data.js";
import { linesOf, opened, openTo, partsAtOnce, type JsonNode } from "./json-nodes.js";
import { countText, oneLine } from "./page-text.js";

/** Number of characters of a string that are shown initially. */
const shownText = 2_000;

interface TreeProps {
  readonly value: unknown;
  readonly findings: readonly PageFinding[];
  /** JSON Pointers to the parts that are omitted from a log. */
  readonly unknown: readonly string[];
  /** JSON Pointer to the location that the user wants to see. */
  readonly place: { readonly pointer: string; readonly times: number } | undefined;
  /** The search text. */
  readonly search: string;
}

/**
 * Shows a message as a tree. Parts are rendered once they are opened. Findings appear at their
 * locations.
 */
export function JsonTree({ value, findings, unknown, place, search }: TreeProps): JSX.Element {
  const [open, setOpen] = useState(() =>
    opened(value, [...new Set(findings.map(({ pointer }) => pointer))].slice(0, 20)),
  );
  const [current, setCurrent] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(value, open), [value, open]);
  const marks = useMemo(() => marksOf(value, findings), [value, findings]);
  const unrecorded = new Set(unknown);
  useEffect(() => {
    if (place === undefined) return;
    const next = new Map(open);
    const target = openTo(next, value, place.pointer);
    setOpen(next);
    setCurrent(target);
    requestAnimationFrame(() => focusLine(box.current, target));
  }, [place]);
  const change = (pointer: string, count: number): void => {
    setOpen(new Map(open).set(pointer, count));
    setCurrent(pointer);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const position = lines.findIndex((line) => idOf(line) === current);
    const target = keyTarget(event.key, lines, Math.max(0, position), change);
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCurrent(idOf(target));
    requestAnimationFrame(() => focusLine(box.current, idOf(target)));
  };
  const known = lines.some((line) => idOf(line) === current) ? current : "";
  return (
    <div ref={box} class="tree" role="tree" aria-label="Message" onKeyDown={onKeyDown}>
      {lines.map((line) => (
        <TreeLine
          key={idOf(line)}
          line={line}
          search={search}
          isCurrent={idOf(line) === known}
          isUnrecorded={line.kind !== "more" && unrecorded.has(line.pointer)}
          marks={line.kind === "more" ? undefined : marks.get(line.pointer)}
          onChange={(count) => change(line.pointer, count)}
          shown={open.get(line.pointer) ?? 0}
        />
      ))}
    </div>
  );
}

interface LineProps {
  readonly line: JsonNode;
  readonly search: string;
  readonly isCurrent: boolean;
  readonly isUnrecorded: boolean;
  readonly marks: readonly PageFinding[] | undefined;
  readonly shown: number;
  readonly onChange: (count: number) => void;
}

function TreeLine({
  line,
  search,
  isCurrent,
  isUnrecorded,
  marks,
  shown,
  onChange,
}: LineProps): JSX.Element {
  const [isFull, setFull] = useState(false);
  const { depth, key, kind, text, isOpen, pointer } = line;
  const worst = marks?.[0]?.severity;
  const toggle = (): void => {
    if (kind === "more") onChange(shown + partsAtOnce);
    else if (isOpen !== undefined) onChange(isOpen ? 0 : partsAtOnce);
    else if (text.length > shownText) setFull(!isFull);
  };
  const cut = isFull || text.length <= shownText ? text : text.slice(0, shownText);
  return (
    <div
      role="treeitem"
      aria-level={depth}
      aria-expanded={isOpen}
      aria-selected={isCurrent}
      tabIndex={isCurrent ? 0 : -1}
      data-line={idOf(line)}
      class={`line ${kind}${worst === undefined ? "" : ` marked ${worst}`}`}
      style={{ paddingLeft: `${Math.min(depth, 30) * 0.9}rem` }}
      title={pointer === "" ? undefined : oneLine(pointer)}
      onClick={toggle}
    >
      {isOpen === undefined ? null : <i class={isOpen ? "open" : "closed"} />}
      {kind === "more" ? (
        <span class="more">{countText(Number(text), "more part")}</span>
      ) : (
        <>
          {key === "" ? null : (
            <span class="key">
              <Highlighted text={oneLine(key)} search={search} />:{" "}
            </span>
          )}
          <span class={`value ${kind}`}>
            <Highlighted text={oneLine(cut)} search={search} />
          </span>
          {cut === text ? null : (
            <span class="more"> … {countText(text.length - cut.length, "more character")}</span>
          )}
          {isUnrecorded ? <span class="unrecorded"> omitted by the log</span> : null}
        </>
      )}
      {marks?.map((finding) => (
        <span class={`note ${finding.severity}`}>
          <b>{finding.severity}</b> {oneLine(finding.rule)}: {oneLine(finding.message)}
          {finding.pointer === pointer ? null : (
            <>
              {" "}
              <code>{oneLine(finding.pointer)}</code>
            </>
          )}
        </span>
      ))}
    </div>
  );
}

/** Text with its search matches highlighted. */
function Highlighted({ text, search }: { text: string; search: string }): JSX.Element {
  const at = search === "" ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <>{text}</>;
  const parts: JSX.Element[] = [];
  let from = 0;
  const lower = text.toLowerCase();
  for (let next = at; next >= 0 && parts.length < 100;) {
    parts.push(
      <>{text.slice(from, next)}</>,
      <mark>{text.slice(next, next + search.length)}</mark>,
    );
    from = next + search.length;
    next = lower.indexOf(search.toLowerCase(), from);
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}

/**
 * Groups findings by their location in the message. If a location does not exist, the closest
 * enclosing location that does is used.
 */
function marksOf(value: unknown, findings: readonly PageFinding[]): Map<string, PageFinding[]> {
  const marks = new Map<string, PageFinding[]>();
  for (const finding of findings) {
    const line = openTo(new Map(), value, finding.pointer);
    const marked = marks.get(line);
    if (marked === undefined) marks.set(line, [finding]);
    else marked.push(finding);
  }
  return marks;
}

function idOf({ pointer, kind }: JsonNode): string {
  return kind === "more" ? `${pointer} …` : pointer;
}

/** Finds the line to which a key press moves. The keys work as in other tree views. */
function keyTarget(
  key: string,
  lines: readonly JsonNode[],
  position: number,
  change: (pointer: string, count: number) => void,
): JsonNode | undefined {
  const line = lines[position];
  if (line === undefined) return undefined;
  switch (key) {
    case "ArrowDown":
      return lines[position + 1] ?? line;
    case "ArrowUp":
      return lines[position - 1] ?? line;
    case "Home":
      return lines[0];
    case "End":
      return lines.at(-1);
    case "ArrowRight":
      if (line.isOpen === false) change(line.pointer, partsAtOnce);
      return line.isOpen === true ? (lines[position + 1] ?? line) : line;
    case "ArrowLeft":
      if (line.isOpen === true) {
        change(line.pointer, 0);
        return line;
      }
      return lines.slice(0, position).findLast(({ depth }) => depth < line.depth) ?? line;
    case "Enter":
    case " ":
      if (line.kind === "more") {
        const siblings = lines.filter(
          ({ pointer, depth }) => depth === line.depth && pointer.startsWith(`${line.pointer}/`),
        );
        change(line.pointer, siblings.length + partsAtOnce);
      } else if (line.isOpen !== undefined) change(line.pointer, line.isOpen ? 0 : partsAtOnce);
      return line;
    default:
      return undefined;
  }
}

function focusLine(box: HTMLElement | null, id: string): void {
  for (const line of box?.querySelectorAll<HTMLElement>("[data-line]") ?? [])
    if (line.dataset["line"] === id) {
      line.focus({ preventScroll: true });
      line.scrollIntoView({ block: "nearest" });
      return;
    }
}
