import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  Choice,
  FileField,
  PrintedPage,
  ProtocolChoice,
  readGiven,
  RunButton,
  useRun,
} from "./fields.js";
import type { ComparedVersions, GivenFile, OfferedProtocol } from "./tasks.js";
import { runTask } from "./worker-client.js";

/** Compares two versions of a protocol, or two schemas. */
export function DiffTab({
  protocols,
}: {
  readonly protocols: readonly OfferedProtocol[];
}): JSX.Element {
  const [protocol, setProtocol] = useState("dap");
  const { versions } = protocols.find(({ name }) => name === protocol)!;
  const [before, setBefore] = useState<string | GivenFile>(versionOf("dap", versions, 1));
  const [after, setAfter] = useState<string | GivenFile>(versionOf("dap", versions, 0));
  const run = useRun<ComparedVersions>();
  const choose = (name: string): void => {
    const own = protocols.find((each) => each.name === name)!.versions;
    setProtocol(name);
    setBefore(versionOf(name, own, 1));
    setAfter(versionOf(name, own, 0));
  };
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run.start(() => runTask("diff", { protocol, before, after }));
      }}
    >
      <p>
        Lists the breaking changes in a new version, the sides they affect, and possible remedies.
      </p>
      <ProtocolChoice protocols={protocols} value={protocol} onChoose={choose} />
      <div class="row">
        {side("Old version", before, setBefore)}
        {side("New version", after, setAfter)}
      </div>
      <RunButton run={run}>Compare</RunButton>
      {run.result === undefined ? null : <PrintedPage title="diff" html={run.result.html} />}
    </form>
  );
}

function versionOf(name: string, versions: readonly string[], index: number): string {
  const version = versions[index] ?? versions[0];
  return version === undefined ? "" : `${name}@${version}`;
}
