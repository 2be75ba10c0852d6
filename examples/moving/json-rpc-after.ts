import { connect, RequestError } from "@wirewright/sqltools/connection";
import { spawnTransport } from "@wirewright/sqltools/node";

const { transport } = await spawnTransport("sqltoolsservice");
const connection = connect("client", transport, {
  onProblem: ({ message }) => console.error(message),
});
connection.on("query/message", ({ message }) => console.log(message.message));

const parameters = { ownerUri: "file:///a.sql", queryString: "select 1" };
try {
  console.log((await connection.request("query/simpleexecute", parameters)).rowCount);
} catch (error) {
  if (error instanceof RequestError) console.log(error.response?.error.code, error.message);
}
await connection.close(); // also shuts down the service
