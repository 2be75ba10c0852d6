import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Choice, FileField, ProtocolChoice, readGiven, RunButton, useRun } from "./fields.js";
import type { CheckedMessage, GivenFile, OfferedProtocol } from "./tasks.js";
import { runTask } from "./worker-client.js";

const example = `{
  "seq": 1,
  "type": "event",
  "event": "stopped",
  "body": { "reason": "breakpoint", "threadId": "1" }
}`;

/** Generates a protocol's package, and validates a message with it. */
export function TypesTab({
  protocols,
}: {
  readonly protocols: readonly OfferedProtocol[];
}): JSX.Element {
  const [name, setName] = useState("dap");
  const [version, setVersion] = useState("");
  const [files, setFiles] = useState<readonly GivenFile[]>([]);
  const [message, setMessage] = useState(example);
  const [shown, setShown] = useState("types.ts");
  const generated = useRun<readonly (readonly [path: string, text: string])[]>();
  const checked = useRun<CheckedMessage>();
  const { versions } = protocols.find((each) => each.name === name)!;
  const protocol = version === "" ? name : `${name}@${version}`;
  const text = generated.result?.find(([path]) => path === shown)?.[1];
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          generated.start(() => runTask("generate", { protocol, files }));
        }}
      >
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
        <RunButton run={generated}>Generate</RunButton>
        {generated.result === undefined ? null : (
          <div class="generated">
            <p class="summary">
              {generated.result.length} files,{" "}
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
      </form>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          checked.start(() => runTask("check", { protocol, files, message }));
        }}
      >
        <label>
          A message in this protocol, as JSON
          <textarea
            rows={8}
            spellcheck={false}
            value={message}
            onInput={(event) => setMessage(event.currentTarget.value)}
          />
        </label>
        <RunButton run={checked}>Validate</RunButton>
        {checked.result === undefined ? null : checked.result.issues.length === 0 ? (
          <p class="summary">The message is valid.</p>
        ) : (
          <ul class="findings">
            {checked.result.issues.map((issue) => (
              <li key={issue}>{issue}</li>
            ))}
          </ul>
        )}
      </form>
    </>
  );
}
