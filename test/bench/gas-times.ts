import { writeFileSync } from "node:fs";
import { cpus } from "node:os";

/** Time of an operation of the hostile contract, relative to its gas. */
export interface GasTime {
  readonly operation: string;
  /** Gas of a round, with the 2500 of the loop. */
  readonly gasPerRound: number;
  /** Processor time of as many rounds as one call's gas pays for. */
  readonly milliseconds: number;
  /** Processor time of this engine in nanoseconds per thousand gas. */
  readonly ours: number | null;
  /** The same for the reference engine; `null` if it was not measured or did not finish. */
  readonly theirs: number | null;
}

const FILE = new URL("../../scripts/docs-lib/data/gas-times.json", import.meta.url).pathname;

/** Writes the table from which docs/gas-times.md is generated. */
export function writeGasTimes(rows: readonly GasTime[]): void {
  const round = (value: number | null): number | null =>
    value === null ? null : Number(value.toPrecision(2));
  const rounded = rows.map((row) => ({
    operation: row.operation,
    gasPerRound: Math.round(row.gasPerRound),
    milliseconds: round(row.milliseconds),
    ours: round(row.ours),
    theirs: round(row.theirs),
  }));
  const machine = `${cpus()[0]?.model ?? "unknown"}, Bun ${Bun.version}`;
  writeFileSync(FILE, `${JSON.stringify({ machine, rows: rounded }, null, 2)}\n`);
}
