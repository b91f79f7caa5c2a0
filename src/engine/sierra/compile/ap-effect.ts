import { invariant } from "#base/errors/index.ts";
import type { ApChange } from "../libfunc/ap-change.ts";
import type { FrameState } from "../libfunc/invocation-builder.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { ApEffect } from "./branch-change.ts";

/** Cells that a call instruction writes, in addition to the function's own. */
const CALL_CELLS = 2;

/**
 * Effect of a branch on `ap` at a statement.
 *
 * @param frame - frame state of the function after the statement
 */
export function apEffect(
  change: ApChange,
  statement: number,
  metadata: Metadata,
  frame: FrameState,
): ApEffect {
  switch (change.kind) {
    case "known":
      return moved(change.cells);
    case "unknown":
      return moved(undefined);
    case "from_metadata":
      return moved(metadata.apVariables.get(statement) ?? 0);
    case "at_locals_finalization":
      return moved(0);
    case "finalize_locals":
      invariant(frame.kind === "finalized", "locals are finalized");
      return moved(frame.allocated);
    case "function_call": {
      const cells = metadata.functionApChanges.get(change.function);
      return moved(cells === undefined ? undefined : cells + CALL_CELLS);
    }
    case "enable_tracking":
      return { cells: 0, tracking: "enable" };
    case "disable_tracking":
      return { cells: 0, tracking: "disable" };
  }
}

function moved(cells: number | undefined): ApEffect {
  return { cells, tracking: "keep" };
}
