import type { Step, StepOutcome } from "#app/bootstrap/index.ts";

/** Formats a step's line; without an outcome the step is in progress. */
export function stepLine(
  { id, title }: Pick<Step, "id" | "title">,
  position: number,
  count: number,
  outcome: StepOutcome | undefined,
): string {
  const place = `${String(position).padStart(String(count).length)}/${count}`;
  return `${place} ${outcomeText(outcome)} ${id}: ${title}`;
}

function outcomeText(outcome: StepOutcome | undefined): string {
  switch (outcome?.kind) {
    case undefined:
      return "...";
    case "exists":
      return "exists";
    case "open":
      return "to do";
    case "done":
      return `done in ${(outcome.durationMs / 1000).toFixed(1)} s`;
  }
}
