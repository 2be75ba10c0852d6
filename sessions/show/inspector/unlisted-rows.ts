import { groupOf, type PageFinding, type UnlistedFindings } from "./page-data.js";

/** Maximum number of groups of findings, and of rows in all groups combined. */
const maxGroups = 1_000;
const maxRows = 1_000_000;

type Group = { -readonly [Key in keyof UnlistedFindings]: UnlistedFindings[Key] } & {
  readonly rows: number[];
  last: number;
};

/** Collects the rows of findings that are too numerous for a page to list. */
export class UnlistedRows {
  readonly #groups = new Map<string, Group>();
  #rows = 0;

  add(finding: PageFinding): void {
    const { rule, severity, row } = finding;
    const whole = groupOf(finding);
    const key =
      this.#groups.has(whole) || this.#groups.size < maxGroups ? whole : `${rule}\n${severity}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { group: key, rule, severity, count: 0, rows: [], last: 0 };
      this.#groups.set(key, group);
    }
    group.count++;
    if (row < 0 || this.#rows === maxRows) return;
    this.#rows++;
    group.rows.push(row - group.last);
    group.last = row;
  }

  get list(): readonly UnlistedFindings[] {
    return [...this.#groups.values()].map(({ last: _, ...group }) => group);
  }
}
