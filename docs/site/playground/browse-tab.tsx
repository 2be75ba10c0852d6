import { marked } from "marked";
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { base } from "../pages/addresses.js";
import {
  chosenName,
  FileField,
  ProtocolChoice,
  readGiven,
  RunButton,
  TaskForm,
  useGiven,
  useRun,
  type TabProps,
} from "./fields.js";
import type { BrowsedPage, GivenFile } from "./tasks.js";
import { runTask } from "./worker-client.js";

const style =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:1rem;overflow-wrap:anywhere}table{border-collapse:collapse}th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:start;vertical-align:top}pre{overflow:auto}a{color:light-dark(#0550ae,#79b8ff)}";

/** Shows a protocol's messages and types, page by page. */
export function BrowseTab({ protocols, given }: TabProps): JSX.Element {
  const [protocol, setProtocol] = useState(chosenName({ protocols, given }, "dap"));
  const [files, setFiles] = useState<readonly GivenFile[]>([]);
  const run = useRun<readonly BrowsedPage[]>();
  const start = (): void => run.start(() => runTask("browse", { protocol, files }));
  const startExample = (): void => {
    setProtocol("dap");
    setFiles([]);
    run.start(() => runTask("browse", { protocol: "dap", files: [] }));
  };
  useGiven(given, start);
  return (
    <TaskForm onSubmit={start}>
      <p>
        Shows every message and type in a protocol, with its fields, direction and capability, and
        the rules that apply to it. LSP, MCP and CDP require their official files.
      </p>
      <div class="row">
        <ProtocolChoice protocols={protocols} value={protocol} onChoose={setProtocol} />
        <FileField
          label="The protocol's schema, or protocol.json and its schemas"
          isMultiple
          onFiles={(chosen) => void readGiven(chosen).then(setFiles)}
        />
      </div>
      <RunButton
        run={run}
        onExample={startExample}
        share={{ tab: "browse", input: () => Promise.resolve({ protocol }) }}
      >
        Browse
      </RunButton>
      {run.result === undefined ? null : <Pages pages={run.result} />}
    </TaskForm>
  );
}

function Pages({ pages }: { readonly pages: readonly BrowsedPage[] }): JSX.Element {
  const [address, setAddress] = useState(pages[0]!.address);
  const [sought, setSought] = useState("");
  const frame = useRef<HTMLIFrameElement>(null);
  const page = pages.find((each) => each.address === address) ?? pages[0]!;
  const matches = useMemo(
    () => pages.filter(({ title }) => title.toLowerCase().includes(sought.toLowerCase())),
    [pages, sought],
  );
  const text = useMemo(
    () =>
      `<!doctype html><title></title><style>${style}</style><h1></h1>${marked.parse(page.body, { async: false })}`,
    [page],
  );
  /** The frame cannot run scripts, so its links are handled here. */
  const follow = (): void => {
    const shown = frame.current!.contentDocument!;
    shown.title = shown.querySelector("h1")!.textContent = page.title;
    shown.onclick = (event) => {
      const link = (event.target as Element).closest("a");
      if (link === null) return;
      event.preventDefault();
      const target = link.getAttribute("href")!.replace(`${base}/`, "").replace(/\/$/, "");
      if (pages.some((each) => each.address === target)) setAddress(target);
      else if (link.getAttribute("href")!.startsWith(`${base}/`)) open(link.href, "_blank");
    };
  };
  return (
    <>
      <div class="row">
        <label>
          Find
          <input
            type="search"
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        </label>
        <label>
          {`Page (${matches.length} of ${pages.length})`}
          <select value={page.address} onChange={(event) => setAddress(event.currentTarget.value)}>
            {matches.map((each) => (
              <option key={each.address} value={each.address}>
                {each.title}
              </option>
            ))}
          </select>
        </label>
      </div>
      <iframe
        ref={frame}
        title="The page"
        sandbox="allow-same-origin"
        srcdoc={text}
        onLoad={follow}
      />
    </>
  );
}
