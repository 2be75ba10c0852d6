import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { countText } from "../../../generator/base/plural.js";
import {
  Choice,
  chosenName,
  FileField,
  ProtocolChoice,
  readGiven,
  RunButton,
  TaskForm,
  TextField,
  useGiven,
  useRun,
  type TabProps,
} from "./fields.js";
import type { TabInput } from "./share-link.js";
import type { CheckedMessage, ChosenProtocol, GivenFile } from "./tasks.js";
import { runTask } from "./worker-client.js";

const example = `{
  "seq": 1,
  "type": "event",
  "event": "stopped",
  "body": { "reason": "breakpoint", "threadId": "1" }
}`;

/** Generates a protocol's package, and validates a message with it. */
export function TypesTab({ protocols, given }: TabProps): JSX.Element {
  const [name, setName] = useState(chosenName({ protocols, given }, "dap"));
  const [version, setVersion] = useState(given["version"] ?? "");
  const [files, setFiles] = useState<readonly GivenFile[]>([]);
  const [shown, setShown] = useState("types.ts");
  const generated = useRun<readonly (readonly [path: string, text: string])[]>();
  const { versions } = protocols.find((each) => each.name === name)!;
  const protocol = version === "" ? name : `${name}@${version}`;
  const text = generated.result?.find(([path]) => path === shown)?.[1];
  const chooseExample = (): void => {
    setName("dap");
    setVersion("");
    setFiles([]);
  };
  const startExample = (): void => {
    chooseExample();
    generated.start(() => runTask("generate", { protocol: "dap", files: [] }));
  };
  return (
    <>
      <TaskForm onSubmit={() => generated.start(() => runTask("generate", { protocol, files }))}>
        <p>
          Generates the same files as <code>wirewright generate</code>: types, guards, maps,
          validators and a codec. For a protocol of your own, add a <code>protocol.json</code> and
          its schemas.
        </p>
        <div class="row">
          <ProtocolChoice
            protocols={protocols}
            value={name}
            onChoose={(chosen) => {
              setName(chosen);
              setVersion("");
            }}
          />
          {versions.length === 0 ? null : (
            <Choice
              label="Version"
              value={version}
              choices={[["", "current"], ...versions.map((each) => [each, each] as const)]}
              onChoose={setVersion}
            />
          )}
          <FileField
            label="Your own schema, or protocol.json and its schemas"
            isMultiple
            onFiles={(chosen) => void readGiven(chosen).then(setFiles)}
          />
        </div>
        <RunButton run={generated} onExample={startExample}>
          Generate
        </RunButton>
        {generated.result === undefined ? null : (
          <div class="generated">
            <p class="summary">
              {countText(generated.result.length, "file")},{" "}
              {Math.ceil(generated.result.reduce((sum, [, { length }]) => sum + length, 0) / 1000)}{" "}
              kB
            </p>
            <Choice
              label="File"
              value={shown}
              choices={generated.result.map(([path]) => [path, path] as const)}
              onChoose={setShown}
            />
            <pre tabIndex={0}>{text}</pre>
          </div>
        )}
      </TaskForm>
      <MessageForm
        given={given}
        choice={{ protocol: name, version }}
        chosen={{ protocol, files }}
        chooseExample={chooseExample}
      />
    </>
  );
}

interface MessageFormProps {
  readonly given: TabInput;
  /** The protocol and the version as fields of the tab's input. */
  readonly choice: TabInput;
  readonly chosen: ChosenProtocol;
  readonly chooseExample: () => void;
}

/** Validates a message. */
function MessageForm({ given, choice, chosen, chooseExample }: MessageFormProps): JSX.Element {
  const [message, setMessage] = useState(given["message"] ?? example);
  const checked = useRun<CheckedMessage>();
  const check = (): void => checked.start(() => runTask("check", { ...chosen, message }));
  const checkExample = (): void => {
    chooseExample();
    setMessage(example);
    checked.start(() => runTask("check", { protocol: "dap", files: [], message: example }));
  };
  useGiven(given, check);
  return (
    <TaskForm onSubmit={check}>
      <TextField
        label="A message in this protocol, as JSON"
        rows={8}
        value={message}
        onText={setMessage}
      />
      <RunButton
        run={checked}
        onExample={checkExample}
        share={{ tab: "types", input: () => Promise.resolve({ ...choice, message }) }}
      >
        Validate
      </RunButton>
      {checked.result === undefined ? null : checked.result.issues.length === 0 ? (
        <p class="summary">The message is valid.</p>
      ) : (
        <ul class="findings">
          {checked.result.issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
    </TaskForm>
  );
}
