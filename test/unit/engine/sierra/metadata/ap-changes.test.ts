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

// Expected: by hand, after the rules of the Sierra compiler's linear solver of ap changes.
describe("changes of ap", () => {
  test("of a function are those of its longest way, and shorter ones are made longer", () => {
    const program = [fork(4), align, work(3), ret, align, work(1), ret];
    expect(apOf(program)).toEqual({ functions: { 0: 3 }, variables: { 4: 2 } });
  });

  test("are added where all further ways need them, and the rest on the ways that need more", () => {
    const program = [
      ...[fork(4), align, work(5), ret],
      ...[align, fork(9), align, work(2), ret],
      ...[align, ret],
    ];
    expect(apOf(program)).toEqual({ functions: { 0: 5 }, variables: { 4: 3, 9: 2 } });
  });

  test("of a call are those of the function and two", () => {
    const program = [call(1), ret, work(4), ret];
    expect(apOf(program, [0, 2])).toEqual({ functions: { 0: 6, 1: 4 }, variables: {} });
  });

  test("are unknown after one that nobody knows, for callers too", () => {
    const program = [call(1), ret, unknown, ret, work(1), ret];
    expect(apOf(program, [0, 2, 4]).functions).toEqual({ 2: 1 });
  });

  test("agree where ways meet before they are unknown", () => {
    const program = [
      ...[fork(4), align, work(3), jump(6)],
      ...[align, work(1)],
      ...[work(1), unknown, ret],
    ];
    expect(apOf(program)).toEqual({ functions: {}, variables: { 4: 2 } });
  });

  test("are not made to agree after they are unknown", () => {
    const program = [fork(4), align, unknown, ret, align, work(1), ret];
    expect(apOf(program)).toEqual({ functions: {}, variables: {} });
  });

  test("have room for locals where they are finalized", () => {
    const program = [locals(2), work(1), locals(3), finalize, work(1), ret];
    expect(apOf(program)).toEqual({ functions: { 0: 7 }, variables: {} });
  });

  test("are counted anew from where tracking begins", () => {
    const program = [
      ...[work(7), disable, enable, fork(7)],
      ...[align, work(2), jump(9)],
      ...[align, work(1)],
      ...[disable, ret],
    ];
    expect(apOf(program)).toEqual({ functions: {}, variables: { 7: 1 } });
  });

  test("are refused where tracking begins on one of the ways that meet only", () => {
    const program = [
      ...[work(5), fork(4), align, jump(6)],
      ...[align, enable],
      ...[work(1), unknown, ret],
    ];
    expect(() => apOf(program)).toThrow("cannot be made to agree on ap");
  });
});
