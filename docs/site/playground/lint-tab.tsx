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
import type { GivenFile, LintedLog, OfferedProtocol } from "./tasks.js";
import { runTask } from "./worker-client.js";

/** Lints a log or a recording, and shows it in the inspector. */
export function LintTab({
  protocols,
}: {
  readonly protocols: readonly OfferedProtocol[];
}): JSX.Element {
  const [protocol, setProtocol] = useState("dap");
  const [dialect, setDialect] = useState("");
  const [schema, setSchema] = useState<readonly GivenFile[]>([]);
  const [file, setFile] = useState<File>();
  const [pasted, setPasted] = useState("");
  const run = useRun<LintedLog>();
  const { versions, dialects } = protocols.find(({ name }) => name === protocol)!;
  const start = (): void => {
    const log = file ?? new Blob([pasted]);
    const name = file?.name ?? "pasted.log";
    run.start((onProgress) =>
      runTask("lint", { protocol, dialect, schema, log, name }, onProgress),
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      <p>
        Reads recordings made with <code>wirewright tap</code>, captured bytes, and the logs of
        adapters and editors. Reports messages that break the protocol's rules, and shows the
        session.
      </p>
      <div class="row">
        <ProtocolChoice
          protocols={protocols}
          value={protocol}
          onChoose={(name) => {
            setProtocol(name);
            setDialect("");
            setSchema([]);
          }}
        />
        {dialects.length === 0 ? null : (
          <Choice
            label="Dialect"
            value={dialect}
            choices={[["", "none"], ...dialects.map((name) => [name, name] as const)]}
            onChoose={setDialect}
          />
        )}
        {versions.length > 0 ? null : (
          <FileField
            label="The protocol's schema"
            isMultiple
            onFiles={(files) => void readGiven(files).then(setSchema)}
          />
        )}
        <FileField label="Log or recording" onFiles={([first]) => setFile(first)} />
      </div>
      <label>
        Or paste it
        <textarea
          rows={6}
          spellcheck={false}
          value={pasted}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </label>
      <RunButton run={run}>Lint</RunButton>
      {run.result === undefined ? null : <LintResult linted={run.result} />}
    </form>
  );
}

function LintResult({ linted: { page, report } }: { readonly linted: LintedLog }): JSX.Element {
  const { counts, messages, groups } = report;
  return (
    <>
      <p class="summary">
        {messages} messages: {counts.error} errors, {counts.warning} warnings, {counts.info} notes.
      </p>
      <ul class="findings">
        {groups.map(({ first: { rule, severity, message, label }, count }, index) => (
          <li key={index}>
            <b>{severity}</b> <code>{rule}</code> {label}: {message}
            {count > 1 ? ` (${count} times)` : ""}
          </li>
        ))}
      </ul>
      <PrintedPage title={report.file} html={page} />
    </>
  );
}
