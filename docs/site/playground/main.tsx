import { render, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BrowseTab } from "./browse-tab.js";
import { DiffTab } from "./diff-tab.js";
import { LintTab } from "./lint-tab.js";
import { readFragment, type TabInput } from "./share-link.js";
import type { OfferedProtocol } from "./tasks.js";
import { TypesTab } from "./types-tab.js";
import { toolLoading } from "./worker-client.js";

/** The protocols that the tool contains. The bundle replaces this name with the list. */
declare const offeredProtocols: readonly OfferedProtocol[];

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
function Playground({ tab, input }: { tab: string; input: TabInput }): JSX.Element {
  const asked = tabs.findIndex(([name]) => name === tab);
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
      <LoadingNote />
      {tabs.map(([name, , Tab], index) => (
        <div
          key={name}
          id={`panel-${name}`}
          role="tabpanel"
          aria-labelledby={`tab-${name}`}
          hidden={index !== open}
        >
          <Tab protocols={offeredProtocols} given={name === tab ? input : {}} />
        </div>
      ))}
    </>
  );
}

/** Shows whether the tool has been loaded in the background. */
function LoadingNote(): JSX.Element {
  const [loaded, setLoaded] = useState<boolean | string>(false);
  useEffect(() => void toolLoading.then(setLoaded), []);
  return (
    <p class="loading" role="status">
      {loaded === false ? (
        <>
          <progress aria-label="Loading" /> The tool is loading. You can already choose what to do.
        </>
      ) : loaded === true ? (
        "The tool is ready."
      ) : (
        `Cannot load the tool: ${loaded}`
      )}
    </p>
  );
}

const container = document.getElementById("playground")!;
const shared = await readFragment(location.hash);
container.textContent = "";
render(<Playground {...shared} />, container);
container.dataset["ready"] = "yes";
