/** Zone that times are shown in. */
export type TimeZone = "local" | "utc";

/** Returns a time with its zone: `2026-11-29 08:30:37 UTC`. */
export function timeText(unixMs: number, zone: TimeZone): string {
  const date = new Date(unixMs);
  if (Number.isNaN(date.getTime())) return "unknown time";
  if (zone === "utc") return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
}

/** Returns the time since a moment: `just now`, `12 s ago`, `in 3 min`. */
export function ageText(ms: number): string {
  if (!Number.isFinite(ms)) return "unknown";
  const seconds = Math.round(ms / 1_000);
  if (seconds === 0) return "just now";
  return seconds < 0 ? `in ${durationText(-ms)}` : `${durationText(ms)} ago`;
}

/** Units from the largest, with the least duration that they are used for. */
const UNITS: readonly (readonly [name: string, ms: number, least: number])[] = [
  ["days", 86_400_000, 172_800_000],
  ["h", 3_600_000, 7_200_000],
  ["min", 60_000, 120_000],
  ["s", 1_000, 1_000],
];

/** Returns a duration in the largest unit that shows it well: `350 ms`, `12 s`, `3 min`, `5 h`, `9 days`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return "unknown";
  const rounded = Math.max(0, Math.round(ms));
  const [name, size] = UNITS.find(([, , least]) => rounded >= least) ?? ["ms", 1];
  return `${Math.round(rounded / size)} ${name}`;
}
