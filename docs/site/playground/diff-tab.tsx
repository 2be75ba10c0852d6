import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  Choice,
  chosenName,
  FileField,
  PrintedPage,
  ProtocolChoice,
  readGiven,
  RunButton,
  TaskForm,
  useGiven,
  useRun,
  type TabProps,
} from "./fields.js";
import type { TabInput } from "./share-link.js";
import type { ComparedVersions, GivenFile } from "./tasks.js";
import { runTask } from "./worker-client.js";

/** Compares two versions of a protocol, or two schemas. */
export function DiffTab({ protocols, given }: TabProps): JSX.Element {
  const [protocol, setProtocol] = useState(chosenName({ protocols, given }, "dap"));
  const { versions } = protocols.find(({ name }) => name === protocol)!;
  const [before, setBefore] = useState<string | GivenFile>(
    givenSource(given, "before") ?? versionOf(protocol, versions, 1),
  );
  const [after, setAfter] = useState<string | GivenFile>(
    givenSource(given, "after") ?? versionOf(protocol, versions, 0),
  );
  const run = useRun<ComparedVersions>();
  const choose = (name: string): void => {
    const versionsOfProtocol = protocols.find((each) => each.name === name)!.versions;
    setProtocol(name);
    setBefore(versionOf(name, versionsOfProtocol, 1));
    setAfter(versionOf(name, versionsOfProtocol, 0));
  };
  const start = (): void => run.start(() => runTask("diff", { protocol, before, after }));
  const startExample = (): void => {
    const [from, to] = ["dap@1.40.0", "dap@1.71.0"];
    setProtocol("dap");
    setBefore(from);
    setAfter(to);
    run.start(() => runTask("diff", { protocol: "dap", before: from, after: to }));
  };
  useGiven(given, start);
  const side = (
    label: string,
    value: string | GivenFile,
    set: (source: string | GivenFile) => void,
  ): JSX.Element => (
    <fieldset>
      <legend>{label}</legend>
      {versions.length === 0 ? null : (
        <Choice
          label="Version"
          value={typeof value === "string" ? value : ""}
          choices={[
            ...versions.map((version) => [`${protocol}@${version}`, version] as const),
            ["", "my schema"],
          ]}
          onChoose={set}
        />
      )}
      <FileField
        label="Schema"
        onFiles={(files) => void readGiven(files).then(([first]) => first && set(first))}
      />
    </fieldset>
  );
  return (
    <TaskForm onSubmit={start}>
      <p>
        Lists the breaking changes in a new version, the sides they affect, and possible remedies.
      </p>
      <ProtocolChoice protocols={protocols} value={protocol} onChoose={choose} />
      <div class="row">
        {side("Old version", before, setBefore)}
        {side("New version", after, setAfter)}
      </div>
      <RunButton
        run={run}
        onExample={startExample}
        share={{
          tab: "diff",
          input: () =>
            Promise.resolve({
              protocol,
              ...sharedSource(before, "before"),
              ...sharedSource(after, "after"),
            }),
        }}
      >
        Compare
      </RunButton>
      {run.result === undefined ? null : <PrintedPage title="diff" html={run.result.html} />}
    </TaskForm>
  );
}

/** A version is shared by its name, and a schema with its text. */
function sharedSource(source: string | GivenFile, field: string): TabInput {
  return typeof source === "string"
    ? { [field]: source }
    : { [field]: source.name, [`${field}Text`]: source.text };
}

function givenSource(given: TabInput, field: string): string | GivenFile | undefined {
  const { [field]: name, [`${field}Text`]: text } = given;
  return name === undefined || text === undefined ? name : { name, text };
}

function versionOf(name: string, versions: readonly string[], index: number): string {
  const version = versions[index] ?? versions[0];
  return version === undefined ? "" : `${name}@${version}`;
}
