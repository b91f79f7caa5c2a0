import { Cause, InputState, INSTANCE_CELLS, INSTANCE_INPUTS, Kind } from "./abi.generated";
import { Builtins } from "./builtins";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { DERIVED } from "./layout";
import { Cost, Work } from "./work";

/** Number of cells between two updates of the work counter. */
const PART_CELLS: u32 = 1024;

const EXPECTED: usize = memory.data(32, 16);

/** Checks of builtin segments at the end of a run. */
export class Verify {
  /** Cells per instance; 0 for segments without instances. */
  @inline
  static cellsPerInstance(kind: u32): u32 {
    return load<u8>(INSTANCE_CELLS + usize(kind));
  }

  /** Inputs per instance. */
  @inline
  static inputsPerInstance(kind: u32): u32 {
    return load<u8>(INSTANCE_INPUTS + usize(kind));
  }

  /** Whether every written cell that a rule can compute has the computed value. */
  static deductions(segment: u32): bool {
    const entry = Cells.segment(segment);
    const kind = entry.kind;
    if (Verify.inputsPerInstance(kind) == Verify.cellsPerInstance(kind)) return true;
    for (let i: u32 = 0; i < entry.size; i++) {
      Work.add(Cost.CELL);
      const cell = Cells.at(segment, i);
      if (!Cells.isKnown(cell) || (load<u64>(cell, 24) & DERIVED) != 0) continue;
      const deduced = Builtins.deduce(segment, i, EXPECTED);
      if (deduced < 0) return false;
      const found = Cells.at(segment, i);
      if (deduced > 0 && !Cells.same(EXPECTED, found)) {
        Failure.detail = kind;
        return Failure.cells(Cause.AUTO_DEDUCTION, EXPECTED, found);
      }
    }
    return true;
  }

  /**
   * Whether the outputs that a run has not used can be computed from their inputs. One output per instance
   * suffices; Pedersen is skipped, because it accepts all inputs.
   */
  static outputs(segment: u32): bool {
    const entry = Cells.segment(segment);
    const kind = entry.kind;
    if (kind == Kind.PEDERSEN) return true;
    const perInstance = Verify.cellsPerInstance(kind);
    const inputs = Verify.inputsPerInstance(kind);
    if (inputs == perInstance || entry.size == 0) return true;
    const instances = (entry.size - 1) / perInstance + 1;
    for (let i: u32 = 0; i < instances; i++) {
      Work.add(Cost.CELL * perInstance);
      for (let j = inputs; j < perInstance; j++) {
        const offset = i * perInstance + j;
        if (Cells.isKnown(Cells.at(segment, offset))) continue;
        if (Builtins.deduce(segment, offset, EXPECTED) < 0) return false;
        break;
      }
    }
    return true;
  }

  /** Whether all inputs of all instances are written. @returns an InputState */
  static inputs(segment: u32): u32 {
    const entry = Cells.segment(segment);
    const perInstance = Verify.cellsPerInstance(entry.kind);
    const inputs = Verify.inputsPerInstance(entry.kind);
    if (perInstance == 0 || entry.size == 0) return InputState.COMPLETE;
    let known: u32 = 0;
    let missing = false;
    const instances = (entry.size - 1) / perInstance + 1;
    for (let i: u32 = 0; i < entry.size; i++) {
      if (i % PART_CELLS == 0) Work.add(Cost.CELL * min(PART_CELLS, entry.size - i));
      if (Cells.isKnown(entry.base + (usize(i) << 5))) known++;
      else if (i % perInstance < inputs) missing = true;
    }
    // Inputs beyond the written cells are missing.
    if (((entry.size - 1) % perInstance) + 1 < inputs) missing = true;
    if (instances > known / inputs) return InputState.TOO_FEW;
    return missing ? InputState.MISSING : InputState.COMPLETE;
  }
}
