import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { PageState } from "./page-state.js";

interface Key {
  readonly keys: readonly string[];
  readonly does: string;
  readonly act: (state: PageState, key: string) => void;
}

/** The approximate number of rows in a screenful of the list. */
const pageRows = 20;

/** The page's keyboard shortcuts, as listed in the help. */
const keys: readonly Key[] = [
  { keys: ["j", "ArrowDown"], does: "next message", act: (state) => state.move(1) },
  { keys: ["k", "ArrowUp"], does: "previous message", act: (state) => state.move(-1) },
  { keys: ["PageDown"], does: "a page down", act: (state) => state.move(pageRows) },
  { keys: ["PageUp"], does: "a page up", act: (state) => state.move(-pageRows) },
  { keys: ["Home"], does: "first message", act: (state) => state.move(-Infinity) },
  { keys: ["End"], does: "last message", act: (state) => state.move(Infinity) },
  {
    keys: ["r"],
    does: "from a request to its response, and back",
    act: (state) => state.goToPartner(),
  },
  { keys: ["n"], does: "next finding", act: (state) => state.goToFinding(1) },
  { keys: ["p"], does: "previous finding", act: (state) => state.goToFinding(-1) },
  {
    keys: ["N", "P"],
    does: "next or previous finding that differs from those of the selected message",
    act: (state, key) => state.goToFinding(key === "N" ? 1 : -1, true),
  },
  { keys: ["Enter"], does: "into the message; arrow keys open and close its parts", act: enter },
  { keys: ["/"], does: "search", act: () => document.getElementById("search")?.focus() },
  { keys: ["l"], does: "list", act: (state) => focusList(state) },
  { keys: ["m"], does: "message", act: (state) => state.show("message") },
  { keys: ["f"], does: "findings", act: (state) => state.show("findings") },
  { keys: ["t"], does: "timing", act: (state) => state.show("timing") },
  { keys: ["s"], does: "state at the message", act: (state) => state.show("state") },
  { keys: ["w"], does: "show or hide the waterfall", act: (state) => showWaterfall(state) },
  {
    keys: ["+", "-"],
    does: "zoom the waterfall in or out",
    act: (state, key) => state.zoomBy(key === "+" ? 0.5 : 2),
  },
  {
    keys: ["<", ">"],
    does: "move the waterfall backward or forward in time",
    act: (state, key) => state.pan(key === "<" ? -0.5 : 0.5),
  },
  { keys: ["0"], does: "show the whole session in the waterfall", act: (state) => state.zoomAll() },
  { keys: ["Escape"], does: "back to the list", act: (state) => focusList(state) },
  { keys: ["?"], does: "this help", act: (state) => (state.isHelpOpen.value = true) },
];

const shownKeys: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  PageDown: "Page Down",
  PageUp: "Page Up",
  Escape: "Esc",
};

/** Handles the page's keyboard shortcuts, whichever element has focus. */
export function listenToPage(state: PageState): void {
  listenToKeys("button, a, summary, [role=tab], .scroll", (pressed) => {
    const key = keys.find((candidate) => candidate.keys.includes(pressed));
    return key === undefined || state.isHelpOpen.value ? undefined : () => key.act(state, pressed);
  });
}

/**
 * Handles keys, whichever element has focus.
 *
 * @param controls Selects the elements to which arrow keys and other named keys are left.
 * @param actionOf Returns what a key does, if it does anything.
 */
export function listenToKeys(
  controls: string,
  actionOf: (key: string) => (() => void) | undefined,
): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    const isEscape = event.key === "Escape";
    if (target.closest("input, select, textarea") !== null && !isEscape) return;
    const isLeft = event.key.length > 1 && !isEscape && target.closest(controls) !== null;
    const act = isLeft ? undefined : actionOf(event.key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** The help dialog, which lists the keyboard shortcuts. */
export function KeyHelp({ state }: { readonly state: PageState }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = state.isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="keys-title"
      onClose={() => (state.isHelpOpen.value = false)}
    >
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {keys.map(({ keys: each, does }) => (
          <div>
            <dt>
              {each.map((key) => (
                <kbd>{shownKeys[key] ?? key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => (state.isHelpOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}

function focusList(state: PageState): void {
  if (!state.isWide.value) state.show("list");
  requestAnimationFrame(() => document.getElementById("list")?.focus());
}

function showWaterfall(state: PageState): void {
  if (state.isWide.value) state.isFallShown.value = !state.isFallShown.value;
  else state.show("waterfall");
}

function enter(state: PageState): void {
  if (state.selected.value < 0) return;
  state.show("message");
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[role=treeitem][tabindex='0']")?.focus(),
  );
}
