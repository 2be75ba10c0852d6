import { copyFile, mkdtemp, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { InputError, systemReason } from "../../../generator/base/input-error.js";
import type { LintFinding } from "../../judge/rules.js";
import type { TreeSession } from "../exchanges/session-tree.js";
import type { ReadEntry } from "../exchanges/entry-reader.js";
import type { Exporter } from "./exporter.js";

/** The database tables. Times are in milliseconds since the recording began. */
const tables = `
CREATE TABLE sessions (
  session INTEGER PRIMARY KEY, parent INTEGER REFERENCES sessions, summary TEXT,
  first_time REAL, last_time REAL, messages INTEGER NOT NULL
);
CREATE TABLE messages (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions, number INTEGER,
  time REAL, sender TEXT, kind TEXT NOT NULL, name TEXT, failed INTEGER NOT NULL,
  line INTEGER, size INTEGER NOT NULL, summary TEXT, json TEXT
);
CREATE TABLE requests (
  session INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL, name TEXT, sender TEXT,
  sent REAL, answered REAL, duration REAL, answer INTEGER, failed INTEGER,
  PRIMARY KEY (session, number)
) WITHOUT ROWID;
CREATE TABLE findings (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL, number INTEGER NOT NULL, rule TEXT NOT NULL,
  severity TEXT NOT NULL, outcome TEXT, sender TEXT, label TEXT, pointer TEXT, message TEXT NOT NULL
);`;

/**
 * Statements that create the indexes. They run at the end, because inserting rows is faster before
 * there are indexes.
 */
const indexes = `
CREATE UNIQUE INDEX messages_by_number ON messages (session, number) WHERE number IS NOT NULL;
CREATE INDEX messages_by_name ON messages (name, kind);
CREATE INDEX requests_by_name ON requests (name, duration);
CREATE INDEX findings_by_rule ON findings (rule);
CREATE INDEX findings_by_message ON findings (session, number);`;

type Value = string | number | null;

/**
 * The parts of `node:sqlite` that this module uses, declared here because the type declarations for
 * this version of Node may lack them.
 */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: Value[]): unknown };
  close(): void;
}

interface SessionRow {
  first: number | undefined;
  last: number | undefined;
  messages: number;
}

/** Writes an SQLite database of sessions, messages, requests and findings. */
export class SqliteExporter implements Exporter {
  readonly #path: string;
  readonly #folder: string;
  readonly #database: Database;
  readonly #addMessage: (...values: Value[]) => void;
  readonly #addRequest: (...values: Value[]) => void;
  readonly #answer: (...values: Value[]) => void;
  readonly #addFinding: (...values: Value[]) => void;
  readonly #sessions = new Map<number, SessionRow>();

  private constructor(path: string, folder: string, database: Database) {
    this.#path = path;
    this.#folder = folder;
    this.#database = database;
    database.exec(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;",
    );
    database.exec(tables);
    database.exec("BEGIN");
    const prepared = (sql: string): ((...values: Value[]) => void) => {
      const statement = database.prepare(sql);
      return (...values) => this.#attempt(() => void statement.run(...values));
    };
    this.#addMessage = prepared(
      "INSERT INTO messages (session, number, time, sender, kind, name, failed, line, size, summary, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
    this.#addRequest = prepared(
      "INSERT OR IGNORE INTO requests (session, number, name, sender, sent) VALUES (?, ?, ?, ?, ?)",
    );
    this.#answer = prepared(
      "UPDATE requests SET answered = ?, duration = ?, answer = ?, failed = ? WHERE session = ? AND number = ?",
    );
    this.#addFinding = prepared(
      "INSERT INTO findings (session, number, rule, severity, outcome, sender, label, pointer, message) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    );
  }

  /**
   * Opens the database. The file does not appear at the path until it is complete.
   *
   * @throws InputError `ERR_ARGUMENT` if this version of Node has no SQLite. `ERR_OUTPUT` if the
   * file cannot be written.
   */
  static async open(path: string): Promise<SqliteExporter> {
    const open = databaseOf();
    const folder = await written(path, () => mkdtemp(join(dirname(path), `.${basename(path)}-`)));
    return new SqliteExporter(path, folder, open(join(folder, "output")));
  }

  push({ entry, session, message, summary }: ReadEntry): void {
    const { time = null, from = null, line = null, message: value, fault, printed, ended } = entry;
    const row = this.#sessionOf(session, entry.time);
    const json = value === undefined ? null : JSON.stringify(value);
    const size = json === null ? 0 : Buffer.byteLength(json);
    const { index = null, name = fault?.code ?? null, answers, latency = null } = message ?? {};
    const other = printed !== undefined ? "text" : ended !== undefined ? "end" : "fault";
    const kind = message?.kind === "none" ? "other" : (message?.kind ?? other);
    const failed = message?.hasFailed === true ? 1 : 0;
    const sender = message?.from ?? from;
    const place = [session, index, time, sender, kind, name, failed, line] as const;
    this.#addMessage(...place, size, summary, json);
    if (message !== undefined) row.messages++;
    if (kind === "request") this.#addRequest(session, index, name, sender, time);
    if (answers !== undefined) this.#answer(time, latency, index, failed, session, answers);
  }

  find(
    { rule, severity, outcome, index, from, label, pointer, message }: LintFinding,
    session: number,
  ): void {
    const about = [outcome ?? null, from ?? null, label, pointer, message] as const;
    this.#addFinding(session, index, rule, severity, ...about);
  }

  async flush(): Promise<void> {
    this.#attempt(() => this.#database.exec("COMMIT; BEGIN"));
  }

  async end(sessions: readonly TreeSession[]): Promise<void> {
    const tree = new Map(sessions.map((session) => [session.number, session]));
    this.#attempt(() => {
      const add = this.#database.prepare("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)");
      for (const [number, { first, last, messages }] of this.#sessions) {
        const { parent, summary } = tree.get(number) ?? {};
        add.run(number, parent ?? null, summary ?? null, first ?? null, last ?? null, messages);
      }
      this.#database.exec(indexes);
      this.#database.exec("COMMIT");
      this.#database.close();
    });
    const database = join(this.#folder, "output");
    await written(this.#path, () =>
      // Renaming cannot replace a device, so copy the data to it.
      rename(database, this.#path).catch(() => copyFile(database, this.#path)),
    );
    await rm(this.#folder, { recursive: true, force: true });
  }

  async drop(): Promise<void> {
    try {
      this.#database.close();
    } catch {
      // Ignore the error: the database is already closed.
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #sessionOf(number: number, time: number | undefined): SessionRow {
    let row = this.#sessions.get(number);
    if (row === undefined) {
      row = { first: time, last: time, messages: 0 };
      this.#sessions.set(number, row);
    }
    row.first ??= time;
    if (time !== undefined) row.last = Math.max(row.last ?? time, time);
    return row;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      throw outputError(this.#path, error);
    }
  }
}

/** @throws InputError `ERR_ARGUMENT` if this version of Node has no SQLite. */
function databaseOf(): (path: string) => Database {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)("node:sqlite") as {
      DatabaseSync: new (path: string) => Database;
    };
    return (path) => new DatabaseSync(path);
  } catch {
    throw new InputError(
      "ERR_ARGUMENT",
      `Cannot write a database with Node ${process.versions.node}: it does not include node:sqlite`,
      {},
      "Use Node 22.13 or later, or --format otlp or perfetto",
    );
  }
}

async function written<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw outputError(path, error);
  }
}

function outputError(file: string, error: unknown): InputError {
  return new InputError("ERR_OUTPUT", `Cannot write the output: ${systemReason(error)}`, { file });
}
