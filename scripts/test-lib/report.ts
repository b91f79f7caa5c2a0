import { LACKING } from "./outcome.ts";
import type { Summary } from "./summary.ts";
import { slowestFiles, type TimedGroup } from "./timings.ts";

const SLOWEST = 10;

/** Prints the cost of each part, the slowest files, everything that failed, and the verdict. */
export function printReport(
  summary: Summary,
  groups: readonly TimedGroup[],
  elapsedMs: number,
  log: (line: string) => void,
): void {
  log(`\n${"part".padEnd(12)} ${"time".padStart(9)} ${"CPU".padStart(9)}`);
  for (const { part, seconds, cpuSeconds } of summary.costs)
    log(costLine(part, seconds, cpuSeconds));
  const cpuSeconds = summary.costs.reduce((sum, cost) => sum + cost.cpuSeconds, 0);
  log(costLine("all", elapsedMs / 1000, cpuSeconds));
  log(`\nslowest files of ${(elapsedMs / 1000).toFixed(1)} s, with their processor time:`);
  for (const { file, seconds, cpuSeconds } of slowestFiles(groups, SLOWEST)) {
    log(`${seconds.toFixed(1).padStart(8)} s  CPU ${cpuText(cpuSeconds).padStart(5)} s  ${file}`);
  }
  if (summary.leftOut > 0) {
    log(`\n${summary.leftOut} tests left out: they need the fixtures in ../shared`);
  }
  if (summary.lacking > 0) {
    log(`\n${summary.lacking} tests left out: they need ${LACKING.join(" or ")} of the system`);
  }
  if (summary.failures.length > 0) log(`\nfailed:\n\n${summary.failures.join("\n\n")}`);
  log(`\n${summary.verdict}`);
}

function costLine(part: string, seconds: number, cpuSeconds: number): string {
  const columns = [seconds, cpuSeconds].map((value) => `${value.toFixed(1)} s`.padStart(9));
  return `${part.padEnd(12)} ${columns.join(" ")}`;
}

function cpuText(seconds: number | undefined): string {
  return seconds === undefined ? "?" : seconds.toFixed(1);
}
