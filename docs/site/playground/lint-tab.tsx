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
  TextField,
  useGiven,
  useRun,
  type TabProps,
} from "./fields.js";
import type { GivenFile, LintedLog } from "./tasks.js";
import { runTask } from "./worker-client.js";

/** A session with a careless adapter, as a program might log it. */
const exampleLog = `[12:00:00.010] --> {"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"example"}}
[12:00:00.150] <-- {"seq":1,"type":"response","request_seq":1,"success":true,"command":"initialize","body":{"supportsConfigurationDoneRequest":true}}
[12:00:00.151] <-- {"seq":2,"type":"event","event":"initialized"}
[12:00:00.160] --> {"seq":2,"type":"request","command":"launch","arguments":{"program":"/shop/shop.py"}}
[12:00:00.165] --> {"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"/shop/shop.py"},"breakpoints":[{"line":7},{"line":12}]}}
[12:00:00.172] <-- {"seq":3,"type":"response","request_seq":3,"success":true,"command":"setBreakpoints","body":{"breakpoints":[{"verified":true,"line":7}]}}
[12:00:00.175] --> {"seq":4,"type":"request","command":"configurationDone"}
[12:00:00.176] <-- {"seq":4,"type":"response","request_seq":4,"success":true,"command":"configurationDone"}
[12:00:00.177] <-- {"seq":5,"type":"response","request_seq":2,"success":true,"command":"launch"}
[12:00:00.450] <-- {"seq":6,"type":"event","event":"stopped","body":{"reason":"breakpoint","threadId":"1"}}
[12:00:00.460] --> {"seq":5,"type":"request","command":"threads"}
[12:00:00.463] <-- {"seq":7,"type":"response","request_seq":5,"success":true,"command":"threads","body":{"threads":[{"id":1,"name":"main"}]}}
[12:00:00.470] --> {"seq":6,"type":"request","command":"stackTrace","arguments":{"threadId":1}}
[12:00:00.471] <-- {"seq":8,"type":"response","request_seq":6,"success":true,"command":"stackTrace","body":{"stackFrames":[{"id":1,"name":"total","source":{"path":"/shop/shop.py"},"line":7,"column":1}]}}
[12:00:00.800] --> {"seq":7,"type":"request","command":"stepBack","arguments":{"threadId":1}}
[12:00:00.802] <-- {"seq":9,"type":"response","request_seq":7,"success":false,"command":"stepBack","message":"not supported"}
[12:00:01.200] --> {"seq":8,"type":"request","command":"disconnect"}
[12:00:01.204] <-- {"seq":10,"type":"response","request_seq":8,"success":true,"command":"disconnect"}
`;

/** Lints a log or a recording, and shows it in the inspector. */
export function LintTab({ protocols, given }: TabProps): JSX.Element {
  const [protocol, setProtocol] = useState(chosenName({ protocols, given }, "dap"));
  const [dialect, setDialect] = useState("");
  const [schema, setSchema] = useState<readonly GivenFile[]>([]);
  const [file, setFile] = useState<File>();
  const [pasted, setPasted] = useState(given["text"] ?? "");
  const run = useRun<LintedLog>();
  const { versions, dialects } = protocols.find(({ name }) => name === protocol)!;
  const start = (): void => {
    const log = file ?? new Blob([pasted]);
    const name = file?.name ?? "pasted.log";
    run.start((onProgress) =>
      runTask("lint", { protocol, dialect, schema, log, name }, onProgress),
    );
  };
  const startExample = (): void => {
    setProtocol("dap");
    setDialect("");
    setFile(undefined);
    setPasted(exampleLog);
    const log = new Blob([exampleLog]);
    run.start(() =>
      runTask("lint", { protocol: "dap", dialect: "", schema: [], log, name: "example.log" }),
    );
  };
  useGiven(given, start);
  return (
    <TaskForm onSubmit={start}>
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
      <TextField label="Or paste it" rows={6} value={pasted} onText={setPasted} />
      <RunButton
        run={run}
        onExample={startExample}
        share={{
          tab: "lint",
          input: async () => ({ protocol, text: (await file?.text()) ?? pasted }),
        }}
      >
        Lint
      </RunButton>
      {run.result === undefined ? null : <LintResult linted={run.result} />}
    </TaskForm>
  );
}

function LintResult({ linted }: { readonly linted: LintedLog }): JSX.Element {
  const { page, summary, report } = linted;
  const { groups } = report;
  return (
    <>
      <p class="summary">{summary}</p>
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
