import { spawn } from "node:child_process";
import * as rpc from "vscode-jsonrpc/node";

interface SimpleExecuteParams {
  ownerUri: string;
  queryString: string;
}
interface SimpleExecuteResult {
  rowCount: number;
}
const simpleExecute = new rpc.RequestType<SimpleExecuteParams, SimpleExecuteResult, void>(
  "query/simpleexecute",
);
const message = new rpc.NotificationType<{ message: { message: string } }>("query/message");

const service = spawn("sqltoolsservice");
const connection = rpc.createMessageConnection(
  new rpc.StreamMessageReader(service.stdout),
  new rpc.StreamMessageWriter(service.stdin),
);
connection.onNotification(message, (parameters) => console.log(parameters.message.message));
connection.onError(([error]) => console.error(error.message));
connection.listen();

const parameters = { ownerUri: "file:///a.sql", queryString: "select 1" };
try {
  console.log((await connection.sendRequest(simpleExecute, parameters)).rowCount);
} catch (error) {
  if (error instanceof rpc.ResponseError) console.log(error.code, error.message);
}
connection.end();
connection.dispose();
service.stdin.end();
