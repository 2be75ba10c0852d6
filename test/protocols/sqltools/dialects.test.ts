import assert from "node:assert/strict";
import { test } from "node:test";
import * as sqltools from "@wirewright/sqltools";
import * as sqltoolsDialects from "@wirewright/sqltools/dialects";
import * as sqltoolsValidators from "@wirewright/sqltools/validators";
import type { DialectName } from "@wirewright/sqltools/dialects";
import { type Message, only, connect } from "../../support/sqltools-messages.js";

function read(dialect: DialectName, message: Message): unknown {
  return sqltoolsDialects.createDialect(dialect).read(message);
}

test("dialect switch null-for-absent: a property whose value is null counts as absent", () => {
  const sent = {
    jsonrpc: "2.0",
    method: "connection/complete",
    params: {
      ownerUri: "a",
      connectionId: null,
      serverInfo: null,
      connectionSummary: { userName: null },
    },
  };
  const message = read("service", sent);
  assert.deepEqual(message, {
    jsonrpc: "2.0",
    method: "connection/complete",
    params: { ownerUri: "a", connectionSummary: {} },
  });
  assert.ok(sqltoolsValidators.isValid(message));
  assert.equal(sqltoolsValidators.isValid(sent), false);
  // Unknown properties and nullable properties are not converted.
  const kept = {
    ...sent,
    params: { ownerUri: "a", mine: null, serverInfo: { options: { a: null } } },
  };
  assert.equal(read("service", kept), kept);
  const shutdown = { jsonrpc: "2.0", id: 5, method: "shutdown", params: null };
  assert.ok(sqltoolsValidators.isValid(read("service", shutdown)));
});

test("dialect switch names-in-any-case: property names are case-insensitive", () => {
  const message = read("service", {
    ...connect,
    params: {
      OwnerUri: "a",
      Connection: { ServerName: "s", OPTIONS: { Server: "kept" }, Mine: 1 },
    },
  });
  assert.deepEqual(message, {
    ...connect,
    params: {
      ownerUri: "a",
      connection: { serverName: "s", options: { Server: "kept" }, Mine: 1 },
    },
  });
  // A property with the exact name takes precedence over one that differs only in case.
  assert.deepEqual(
    read("service", { ...connect, params: { OWNERURI: "wrong", ownerUri: "right" } }),
    {
      ...connect,
      params: { OWNERURI: "wrong", ownerUri: "right" },
    },
  );
  const polluted = JSON.parse(
    '{"jsonrpc":"2.0","id":1,"method":"connection/connect","params":{"OwnerUri":"a","__proto__":{"polluted":true}}}',
  ) as Message;
  const result = read("service", polluted) as { params: object };
  assert.deepEqual(Object.keys(result.params), ["ownerUri", "__proto__"]);
  assert.equal(({} as Message)["polluted"], undefined);
});

test("dialect switch numbers-for-names: enum values are numbers on the wire, in both directions", () => {
  const dialect = sqltoolsDialects.createDialect("service");
  const written = {
    jsonrpc: "2.0",
    id: 7,
    method: "query/copy2",
    params: {
      ownerUri: "a",
      batchIndex: 0,
      resultSetIndex: 0,
      rowsStartIndex: 0,
      rowsCount: 1,
      copyType: "CSV",
    },
  } as const;
  assert.ok(sqltoolsValidators.isValid(written));
  const bytes = sqltools
    .createEncoder({ dialect, validate: sqltoolsValidators.assertValid })
    .encode(written);
  assert.match(Buffer.from(bytes).toString(), /"copyType":2\}/);
  const classified = only(bytes, sqltoolsDialects.createDialect("service"));
  assert.deepEqual(classified.status === "known" && classified.message, written);
  // The dialect determines a response's name from its request.
  dialect.write({ jsonrpc: "2.0", id: 8, method: "textDocument/completion" });
  const answer = {
    jsonrpc: "2.0",
    id: 8,
    result: [{ label: "a", kind: 3, insertTextFormat: null }],
  };
  assert.deepEqual(dialect.read(answer), { ...answer, result: [{ label: "a", kind: "Function" }] });
  assert.equal(dialect.read(answer), answer, "answered once");
  const unknown = {
    jsonrpc: "2.0",
    method: "window/showMessage",
    params: { type: 99, message: "m" },
  };
  assert.equal(dialect.read(unknown), unknown);
});

test("dialect switch ids-as-text: a response's id may be a string", () => {
  const answer = { jsonrpc: "2.0", id: "12", result: true };
  assert.deepEqual(read("before-2026", answer), { ...answer, id: 12 });
  assert.equal(read("service", answer), answer);
  const dialect = sqltoolsDialects.createDialect("before-2026");
  dialect.write({ ...connect, id: "12" });
  assert.equal(dialect.read(answer), answer, "an id that was a text");
  assert.equal(
    (dialect.read({ ...connect, id: "7" }) as Message)["id"],
    "7",
    "a request of the peer",
  );
});
