import { median } from "../pairs.ts";
import { type Group, type Row, ROWS } from "./rows.ts";

/** Values of one row and server: median and extremes. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** A row as printed and saved: servers by name, ours first. */
export interface MeasuredRow extends Row {
  readonly servers: Readonly<Record<string, Spread>>;
  /** Reasons of servers without a value. */
  readonly remarks: Readonly<Record<string, string>>;
}

/** Measurements so far, round by round. */
export class Results {
  readonly #say: (text: string) => void;
  readonly #values = new Map<string, Map<string, number[]>>();
  readonly #remarks = new Map<string, Record<string, string>>();

  /** @param say - called with each value */
  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /** Records values of a server by row id. */
  note(server: string, values: Readonly<Record<string, number>>): void {
    for (const [id, value] of Object.entries(values)) {
      const servers = this.#values.get(id) ?? new Map<string, number[]>();
      this.#values.set(id, servers);
      servers.set(server, [...(servers.get(server) ?? []), value]);
    }
    const printed = Object.entries(values).map(([id, value]) => `${id} ${short(value)}`);
    this.#say(`  ${server}: ${printed.join(", ")}`);
  }

  /** Records why a server has no value in a row. */
  remark(server: string, id: string, text: string): void {
    this.#remarks.set(id, { ...this.#remarks.get(id), [server]: text });
    this.#say(`  ${server}: ${id}: ${text}`);
  }

  /** Rows of a group that have values. */
  rowsOf(group: Group): readonly MeasuredRow[] {
    return ROWS[group].flatMap((row: Row) => {
      const servers = this.#values.get(row.id);
      if (servers === undefined) return [];
      const spreads = [...servers].map(([name, values]) => [name, spreadOf(values)] as const);
      const remarks = this.#remarks.get(row.id) ?? {};
      return [{ ...row, servers: Object.fromEntries(spreads), remarks }];
    });
  }
}

function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) };
}

/** Three significant digits, with thousands separators. */
export function short(value: number): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 1e-9))));
  const [whole = "", part] = value.toFixed(Math.min(digits, 3)).split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, " ");
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/** A median with its unit and, if rounds differ, its spread. */
export function printedSpread({ unit }: Row, { median: middle, least, most }: Spread): string {
  const ends = short(least) === short(most) ? "" : ` (${short(least)} to ${short(most)})`;
  return `${short(middle)}${unit === "/s" ? "" : " "}${unit}${ends}`;
}

/** Ratio of ours to another value; above 1 ours is better. */
export function ratio({ better }: Row, ours: Spread, other: Spread): string {
  const times = better === "more" ? ours.median / other.median : other.median / ours.median;
  return times >= 9.95 ? times.toFixed(0) : times.toFixed(1);
}

/** Cells of a row: name, ours, the other servers, the ratios. */
export function cellsOf(row: MeasuredRow): readonly [string, string, string, string] {
  const [[, ours], ...others] = Object.entries(row.servers) as [
    [string, Spread],
    ...[string, Spread][],
  ];
  const peers = [
    ...others.map(([name, spread]) => `${name} ${printedSpread(row, spread)}`),
    ...Object.entries(row.remarks).map(([name, text]) => `${name} ${text}`),
  ];
  const ratios = others.map(([, spread]) => ratio(row, ours, spread));
  return [row.what, printedSpread(row, ours), peers.join("; "), ratios.join("; ")];
}

/** Rows as a Markdown table. */
export function printedTable(rows: readonly MeasuredRow[]): string {
  const lines = rows.map((row) => `| ${cellsOf(row).join(" | ")} |`);
  return ["| row | figure | peer | ratio |", "| --- | --- | --- | --- |", ...lines].join("\n");
}
