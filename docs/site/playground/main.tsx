import { render, type JSX } from "preact";
import { useState } from "preact/hooks";
import { BrowseTab } from "./browse-tab.js";
import { DiffTab } from "./diff-tab.js";
import { LintTab } from "./lint-tab.js";
import type { OfferedProtocol } from "./tasks.js";
import { TypesTab } from "./types-tab.js";
import { runTask } from "./worker-client.js";

const tabs = [
  ["lint", "Lint a log", LintTab],
  ["diff", "Compare versions", DiffTab],
  ["types", "Generate types", TypesTab],
  ["browse", "Browse a protocol", BrowseTab],
] as const;

/**
 * The four tabs of the playground. All of them stay mounted so that nothing is lost when switching
 * tabs.
 */
function Playground({
  protocols,
}: {
  readonly protocols: readonly OfferedProtocol[];
}): JSX.Element {
  const asked = tabs.findIndex(([name]) => `#${name}` === location.hash);
  const [open, setOpen] = useState(Math.max(0, asked));
  const choose = (index: number): void => {
    setOpen(index);
    history.replaceState(null, "", `#${tabs[index]![0]}`);
    document.getElementById(`tab-${tabs[index]![0]}`)?.focus();
  };
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: tabs.length - 1 }[event.key];
    if (by !== undefined) choose((open + by) % tabs.length);
  };
  return (
    <>
      <div role="tablist" aria-label="Tools" onKeyDown={step}>
        {tabs.map(([name, text], index) => (
          <button
            key={name}
            id={`tab-${name}`}
            type="button"
            role="tab"
            aria-selected={index === open}
            aria-controls={`panel-${name}`}
            tabIndex={index === open ? 0 : -1}
            onClick={() => choose(index)}
          >
            {text}
          </button>
        ))}
      </div>
      {tabs.map(([name, , Tab], index) => (
        <div
          key={name}
          id={`panel-${name}`}
          role="tabpanel"
          aria-labelledby={`tab-${name}`}
          hidden={index !== open}
        >
          <Tab protocols={protocols} />
        </div>
      ))}
    </>
  );
}

const place = document.getElementById("playground")!;
try {
  const protocols = await runTask("protocols", undefined as never);
  place.textContent = "";
  render(<Playground protocols={protocols} />, place);
  place.dataset["ready"] = "yes";
} catch (error) {
  place.textContent = `Cannot start: ${(error as Error).message}`;
}
