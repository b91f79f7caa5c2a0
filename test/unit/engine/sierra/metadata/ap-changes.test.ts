import { describe, expect, test } from "bun:test";
import { computeMetadata } from "#engine/sierra/metadata/metadata.ts";
import {
  align,
  call,
  fork,
  jump,
  moves,
  ret,
  sketchedProgram,
  type StatementSketch,
  work,
} from "#test/helpers/sierra/flow-sketch.ts";

const unknown = moves({ kind: "unknown" });
const enable = moves({ kind: "enable_tracking" });
const disable = moves({ kind: "disable_tracking" });
const finalize = moves({ kind: "finalize_locals" });
const locals = (cells: number): StatementSketch => moves({ kind: "at_locals_finalization", cells });

function apOf(sketches: readonly StatementSketch[], entries: readonly number[] = [0]) {
  const { program, registry } = sketchedProgram(sketches, entries);
  const { functionApChanges, apVariables } = computeMetadata(program, registry, {
    enforced: new Map(),
  });
  return {
    functions: Object.fromEntries(functionApChanges),
    variables: Object.fromEntries(apVariables),
  };
}

// Expected values are computed by hand from the rules of the Sierra compiler's linear ap-change
// solver.
describe("computeMetadata: ap changes", () => {
  test("of a function are those of its longest path, and shorter paths are extended", () => {
    const program = [fork(4), align, work(3), ret, align, work(1), ret];
    expect(apOf(program)).toEqual({ functions: { 0: 3 }, variables: { 4: 2 } });
  });

  test("are added once where all later paths need them, and per path for the rest", () => {
    const program = [
      ...[fork(4), align, work(5), ret],
      ...[align, fork(9), align, work(2), ret],
      ...[align, ret],
    ];
    expect(apOf(program)).toEqual({ functions: { 0: 5 }, variables: { 4: 3, 9: 2 } });
  });

  test("of a call are those of the function plus two", () => {
    const program = [call(1), ret, work(4), ret];
    expect(apOf(program, [0, 2])).toEqual({ functions: { 0: 6, 1: 4 }, variables: {} });
  });

  test("are unknown after an unknown change, for callers too", () => {
    const program = [call(1), ret, unknown, ret, work(1), ret];
    expect(apOf(program, [0, 2, 4]).functions).toEqual({ 2: 1 });
  });

  test("are aligned where paths merge before they become unknown", () => {
    const program = [
      ...[fork(4), align, work(3), jump(6)],
      ...[align, work(1)],
      ...[work(1), unknown, ret],
    ];
    expect(apOf(program)).toEqual({ functions: {}, variables: { 4: 2 } });
  });

  test("are not aligned after they become unknown", () => {
    const program = [fork(4), align, unknown, ret, align, work(1), ret];
    expect(apOf(program)).toEqual({ functions: {}, variables: {} });
  });

  test("reserve room for locals at their finalization", () => {
    const program = [locals(2), work(1), locals(3), finalize, work(1), ret];
    expect(apOf(program)).toEqual({ functions: { 0: 7 }, variables: {} });
  });

  test("restart where tracking is enabled", () => {
    const program = [
      ...[work(7), disable, enable, fork(7)],
      ...[align, work(2), jump(9)],
      ...[align, work(1)],
      ...[disable, ret],
    ];
    expect(apOf(program)).toEqual({ functions: {}, variables: { 7: 1 } });
  });

  test("are rejected if tracking starts on only one of the merging paths", () => {
    const program = [
      ...[work(5), fork(4), align, jump(6)],
      ...[align, enable],
      ...[work(1), unknown, ret],
    ];
    expect(() => apOf(program)).toThrow("cannot be made to agree on ap");
  });
});
