import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { withFolder, writeFiles } from "../../support/compile.js";
import { newestDap } from "../../support/dap-versions.js";
import { session, lines, run } from "../../support/linted-session.js";

test("the command prints reports, and its exit status reflects the findings", async () => {
  await withFolder((folder) => {
    const file = join(folder, "a,b.jsonl");
    writeFiles(folder, {
      "a,b.jsonl": Buffer.from(lines(session.map(([, message]) => message))).toString(),
    });
    const sentence = "The adapter has not announced supportsTerminateRequest";
    assert.deepEqual(run([file]), {
      status: 1,
      stdout: `${file}   dap ${newestDap}, wire profile   4 messages   1 error\nerror    request.capability  #3 client: request 2 terminate /command\n  ${sentence}\n`,
      stderr: "",
    });
    const finding = {
      rule: "request.capability",
      severity: "error",
      index: 3,
      from: "client",
      label: "request 2 terminate",
      pointer: "/command",
      message: sentence,
      line: 3,
    };
    assert.deepEqual(
      JSON.parse(
        run(["-", "--format", "json"], lines(session.map(([, message]) => message))).stdout,
      ),
      {
        report: "lint",
        reportVersion: 1,
        file: "<stdin>",
        protocol: "dap",
        version: newestDap,
        profile: "wire",
        roles: ["client", "adapter"],
        messages: 4,
        counts: { error: 1, warning: 0, info: 0 },
        findings: [finding],
      },
    );
    assert.equal(
      run([file, "--format", "github"]).stdout,
      `::error file=${file.replace(",", "%2C")},line=3,title=request.capability::message 3, request 2 terminate /command: ${sentence}\n`,
    );
    assert.equal(run([file, "--fail-on", "never"]).status, 0);
    assert.deepEqual(
      ["warning", "info", "off"].map(
        (severity) => run([file, "--severity", `request.capability=${severity}`]).status,
      ),
      [0, 0, 0],
    );
    assert.equal(
      run([file, "--severity", "request.capability=warning", "--fail-on", "warning"]).status,
      1,
    );
    assert.match(
      run(["rules"]).stdout,
      /^RULE +SEVERITY {2}FINDS\nstream\.noise +warning +The stream contains bytes that do not belong to a message[^]+\nframe\.unknown +warning +The adapter has not returned the stack frame\./,
    );
  });
});

test("lint --explain describes a rule and lists the places in the specification that define it", () => {
  assert.deepEqual(run(["--explain", "frame.unknown"]), {
    status: 0,
    stdout: `frame.unknown (warning)

The adapter has not returned the stack frame.

Defined in the specification at:
  ScopesArguments/frameId
  StackFrame/id

A session that breaks the rule:
  run
  > scopes {"frameId":7}
  < scopes {"scopes":[{"name":"s","variablesReference":9,"expensive":false}]}

A session that follows the rule:
  run
  > stackTrace {"threadId":1}
  < stackTrace {"stackFrames":[{"id":7,"name":"f","line":1,"column":1,"source":{"name":"a","path":"/a"}}]}
  > scopes {"frameId":7}
  < scopes {"scopes":[{"name":"s","variablesReference":9,"expensive":false}]}

Notation:
  >    the client sends a request, with these arguments
  <    the adapter answers the request, with this body
  run  the session is opened, and the program is launched and stops in thread 1

Change its severity with --severity frame.unknown=info, or turn it off with --severity frame.unknown=off.
`,
    stderr: "",
  });
  assert.match(
    run(["--explain", "VS-G3", "--host", "visual-studio"]).stdout,
    /^VS-G3 \(error\)\n\nA request fails/,
  );
  assert.match(run(["--explain", "frame.unknwon"]).stderr, /Did you mean "frame\.unknown"\?/);
});

test("lint exits with status 2, an error and a hint if arguments are invalid or recordings unreadable", async () => {
  await withFolder((folder) => {
    const head = { recording: "wirewright", form: 1, protocol: "kv", roles: ["client", "store"] };
    const asked = { from: "client", message: session[0]![1] };
    writeFiles(folder, {
      "empty.jsonl": "",
      "text.txt": "nothing here\n",
      "own.jsonl": `${JSON.stringify(head)}\n${JSON.stringify(asked)}\n`,
      "one.jsonl": `${JSON.stringify(asked)}\n`,
    });
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /^Cannot judge: give one recording, or one for each direction \[ERR_ARGUMENT\]/],
      [
        [join(folder, "none")],
        /none: Cannot read the recording: there is no such file \[ERR_READ\]/,
      ],
      [
        [join(folder, "empty.jsonl")],
        /Cannot find any message in the recording \[ERR_JSON\]\n {2}It is empty\. Pass a recording made with wirewright tap/,
      ],
      [[join(folder, "text.txt")], /Cannot find any message in the recording/],
      [
        [join(folder, "own.jsonl")],
        /own\.jsonl: Cannot read a recording of "kv" without a description of that protocol \[ERR_ARGUMENT\]\n {2}Pass the path to its protocol\.json with --protocol/,
      ],
      [
        [join(folder, "one.jsonl"), "--session", "2"],
        /^Cannot find session 2 in .*one\.jsonl \[ERR_ARGUMENT\]\n {2}Without --session, the report lists the sessions/,
      ],
      [["x", "--severity", "response.dubble=off"], /Did you mean "response\.double"\?/],
      [["x", "--profile", "loose"], /Cannot use --profile "loose"/],
    ];
    for (const [args, message] of wrong) {
      const { status, stderr } = run(args);
      assert.equal(status, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
