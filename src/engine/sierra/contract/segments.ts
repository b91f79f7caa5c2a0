import type { Program } from "../program/program.ts";
import { CompileError } from "../compile-error.ts";

/**
 * First statements of a program's functions, ascending.
 *
 * @throws {CompileError} SIERRA_INVALID when the first statement is not the start of a function, or a branch
 *   leads out of a function
 */
export function functionStarts({ functions, statements }: Program): readonly number[] {
  const starts = functions.map(({ entry }) => entry).sort((a, b) => a - b);
  if (starts[0] !== 0) {
    throw new CompileError("SIERRA_INVALID", "no function begins with the first statement");
  }
  let begin = 0;
  let next = 1;
  let end = starts[next] ?? statements.length;
  for (const [index, statement] of statements.entries()) {
    if (starts[next] === index) {
      begin = index;
      next++;
      end = starts[next] ?? statements.length;
    }
    if (statement.kind === "return") continue;
    for (const { target = index + 1 } of statement.branches) {
      if (target >= begin && target < end) continue;
      throw new CompileError(
        "SIERRA_INVALID",
        `statement ${index} leads out of its function: to statement ${target}`,
        { statement: index },
      );
    }
  }
  return starts;
}

/**
 * Lengths of the segments in which bytecode is hashed: functions, then segments of constants. Empty segments
 * are omitted.
 *
 * @param starts - offsets of the segments, ascending
 */
export function segmentLengths(
  starts: readonly number[],
  bytecodeLength: number,
): readonly number[] {
  return starts
    .map((start, i) => (starts[i + 1] ?? bytecodeLength) - start)
    .filter((length) => length > 0);
}
