import type { Step, StepOutcome } from "#app/bootstrap/index.ts";

/** What a step's line says; without an outcome it is under way. */
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
    case "there":
      return "is there";
    case "open":
      return "to do";
    case "done":
      return `done in ${(outcome.durationMs / 1000).toFixed(1)} s`;
  }
}
