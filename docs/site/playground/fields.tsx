import type { ComponentChildren, JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { writeFragment, type TabInput } from "./share-link.js";
import type { GivenFile, OfferedProtocol } from "./tasks.js";

/** A labelled list of choices. */
export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}): JSX.Element {
  return (
    <label>
      {props.label}
      <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value)}>
        {props.choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A field for choosing a protocol by title. */
export function ProtocolChoice(props: {
  readonly protocols: readonly OfferedProtocol[];
  readonly value: string;
  readonly onChoose: (name: string) => void;
}): JSX.Element {
  const choices = props.protocols.map(({ name, title }) => [name, `${title} (${name})`] as const);
  return (
    <Choice label="Protocol" value={props.value} choices={choices} onChoose={props.onChoose} />
  );
}

/** A field for choosing or dropping files. */
export function FileField(props: {
  readonly label: string;
  readonly isMultiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}): JSX.Element {
  const [isOver, setOver] = useState(false);
  const [names, setNames] = useState("");
  const take = (list: FileList | null | undefined): void => {
    const files = [...(list ?? [])];
    setNames(files.map(({ name }) => name).join(", "));
    props.onFiles(files);
  };
  return (
    <label
      class={isOver ? "files over" : "files"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      {props.label}
      <input
        type="file"
        multiple={props.isMultiple === true}
        onChange={(event) => take(event.currentTarget.files)}
      />
      <span>{names === "" ? "or drop it here" : names}</span>
    </label>
  );
}

/** Reads the names and contents of files. */
export function readGiven(files: readonly File[]): Promise<readonly GivenFile[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
}

/** A task together with the state of its latest run. */
export interface Run<Result> {
  readonly result: Result | undefined;
  /** The progress, or the reason why the task failed. */
  readonly note: string;
  readonly isBusy: boolean;
  start(task: (onProgress: (text: string) => void) => Promise<Result>): void;
}

export function useRun<Result>(): Run<Result> {
  const [state, setState] = useState<{ result?: Result; note: string; isBusy: boolean }>({
    note: "",
    isBusy: false,
  });
  return {
    result: state.result,
    note: state.note,
    isBusy: state.isBusy,
    start(task) {
      setState({ note: "Working …", isBusy: true });
      task((note) => setState({ note, isBusy: true })).then(
        (result) => setState({ result, note: "", isBusy: false }),
        (error: unknown) => setState({ note: (error as Error).message, isBusy: false }),
      );
    },
  };
}

/** The protocols to choose from, and the tab's input in the link to the page. */
export interface TabProps {
  readonly protocols: readonly OfferedProtocol[];
  readonly given: TabInput;
}

/** Returns the name in a tab's input if it is the name of a protocol, otherwise the usual one. */
export function chosenName({ protocols, given }: TabProps, usual: string): string {
  return protocols.find(({ name }) => name === given["protocol"])?.name ?? usual;
}

/** Starts a tab's task if the link to the page contains the tab's input. */
export function useGiven(given: TabInput, start: () => void): void {
  useEffect(() => {
    if (Object.keys(given).length > 0) start();
  }, []);
}

/** A form's buttons. They also show the task's progress, or why the task failed. */
export function RunButton(props: {
  readonly run: Run<unknown>;
  readonly children: ComponentChildren;
  /** Fills in an example and runs the task. */
  readonly onExample?: () => void;
  /** The tab's name and its input, for a link to it. */
  readonly share?: { readonly tab: string; readonly input: () => Promise<TabInput> };
}): JSX.Element {
  const { run, children, onExample, share } = props;
  const [note, setNote] = useState("");
  const copyLink = async (): Promise<void> => {
    const fragment = await writeFragment(share!.tab, await share!.input());
    if (fragment === undefined) return setNote("The input is too long for a link.");
    history.replaceState(null, "", fragment);
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    const where = isCopied === true ? "The link is copied." : "The link is in the address bar.";
    setNote(`${where} It contains the input; nothing was sent.`);
  };
  return (
    <p class="run">
      <button type="submit" disabled={run.isBusy}>
        {children}
      </button>
      {onExample === undefined ? null : (
        <button type="button" disabled={run.isBusy} onClick={onExample}>
          Try an example
        </button>
      )}
      {share === undefined ? null : (
        <button type="button" onClick={() => void copyLink()}>
          Copy a link
        </button>
      )}
      {run.isBusy ? <progress aria-label="Working" /> : null}
      <output>{run.note === "" ? note : run.note}</output>
    </p>
  );
}

/** A form that runs a task instead of loading another page. */
export function TaskForm(props: {
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}

/** A field for text of several lines. */
export function TextField(props: {
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly onText: (text: string) => void;
}): JSX.Element {
  const { label, rows, value, onText } = props;
  return (
    <label>
      {label}
      <textarea
        rows={rows}
        spellcheck={false}
        value={value}
        onInput={(event) => onText(event.currentTarget.value)}
      />
    </label>
  );
}

/** Shows an HTML page created by the tool, in a frame of its own. */
export function PrintedPage(props: { readonly title: string; readonly html: string }): JSX.Element {
  const address = useMemo(
    () => URL.createObjectURL(new Blob([props.html], { type: "text/html" })),
    [props.html],
  );
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <div class="printed">
      <p>
        <a href={address} download={`${props.title}.html`}>
          Save the page
        </a>
      </p>
      <iframe title={props.title} sandbox="allow-scripts" src={address} />
    </div>
  );
}
