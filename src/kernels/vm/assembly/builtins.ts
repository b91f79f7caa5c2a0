import { Cause, InstanceCells, InstanceInputs, Kind } from "./abi.generated";
import { EcStatus } from "../../field/assembly/abi.generated";
import { EcOp } from "../../field/assembly/ec-op";
import { Felt } from "../../field/assembly/felt";
import { Keccak } from "../../field/assembly/keccak";
import { Pedersen } from "../../field/assembly/pedersen";
import { Poseidon } from "../../field/assembly/poseidon";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F } from "./frame";
import { DERIVED, KNOWN, VALUE } from "./layout";
import { Cost, Work } from "./work";

const INPUT: usize = memory.data(256, 32);
const OUTPUT: usize = memory.data(64, 32);
const LANES: usize = memory.data(200, 8);

/**
 * Computes output cells of the builtins (Pedersen, Poseidon, Keccak, ec_op, bitwise) from their written
 * inputs.
 */
export class Builtins {
  /**
   * Computes an unknown cell of a builtin's segment.
   *
   * @param out - receives the known cell
   * @returns 1 if computed, 0 if no rule applies (yet), -1 with a recorded failure
   */
  static deduce(segment: u64, offset: u64, out: usize): i32 {
    if (segment >= u64(F.segmentCount)) return 0;
    switch (Cells.segment(segment).kind) {
      case Kind.PEDERSEN:
        return Builtins.pedersen(segment, offset, out);
      case Kind.BITWISE:
        return Builtins.bitwise(segment, offset, out);
      case Kind.EC_OP:
        return Builtins.ecOp(segment, offset, out);
      case Kind.POSEIDON:
        return Builtins.poseidon(segment, offset, out);
      case Kind.KECCAK:
        return Builtins.keccak(segment, offset, out);
      default:
        return 0;
    }
  }

  private static pedersen(segment: u64, offset: u64, out: usize): i32 {
    if (offset % InstanceCells.PEDERSEN != InstanceInputs.PEDERSEN) return 0;
    const x = Cells.at(segment, offset - 2);
    const y = Cells.at(segment, offset - 1);
    if (!Cells.isKnown(x) || !Cells.isKnown(y) || Cells.isAddress(x) || Cells.isAddress(y))
      return 0;
    Work.add(Cost.PEDERSEN);
    Cells.value(INPUT, x);
    Cells.value(INPUT + 32, y);
    Pedersen.hash(out, INPUT, INPUT + 32);
    Cells.flag(out);
    return 1;
  }

  private static bitwise(segment: u64, offset: u64, out: usize): i32 {
    const index = offset % InstanceCells.BITWISE;
    if (index < InstanceInputs.BITWISE) return 0;
    const first = offset - index;
    const x = Cells.at(segment, first);
    const y = Cells.at(segment, first + 1);
    if (!Cells.isKnown(x) || !Cells.isKnown(y) || Cells.isAddress(x) || Cells.isAddress(y))
      return 0;
    for (let i: u64 = 0; i < 2; i++) {
      const cell = i == 0 ? x : y;
      if ((load<u64>(cell, 24) & VALUE) >> 59 != 0) {
        Failure.detail = 251;
        Failure.addressAndCell(Cause.BITWISE_RANGE, segment, first + i, cell);
        return -1;
      }
    }
    for (let i: usize = 0; i < 32; i += 8) {
      const a = load<u64>(x + i);
      const b = load<u64>(y + i);
      store<u64>(out + i, index == 2 ? a & b : index == 3 ? a ^ b : a | b);
    }
    store<u64>(out, (load<u64>(out, 24) & VALUE) | KNOWN, 24);
    return 1;
  }

  private static poseidon(segment: u64, offset: u64, out: usize): i32 {
    const index = offset % InstanceCells.POSEIDON;
    if (index < InstanceInputs.POSEIDON) return 0;
    const first = offset - index;
    const read = Builtins.inputs(segment, first, InstanceInputs.POSEIDON, Kind.POSEIDON);
    if (read != 1) return read;
    Work.add(Cost.POSEIDON);
    Poseidon.permute(INPUT);
    return Builtins.outputs(segment, first + 3, 3, usize(index - 3), out);
  }

  /**
   * Reads the inputs of an instance into INPUT.
   *
   * @returns 1 if all are integers, 0 if one is not known (yet), -1 with a recorded failure
   */
  private static inputs(segment: u64, first: u64, count: u64, kind: u32): i32 {
    for (let i: u64 = 0; i < count; i++) {
      const cell = Cells.at(segment, first + i);
      const integer = Builtins.integer(cell, segment, first + i, kind);
      if (integer != 1) return integer;
      Cells.value(INPUT + (usize(i) << 5), cell);
    }
    return 1;
  }

  /** Whether an input is an integer; results as for {@link inputs}. */
  private static integer(cell: usize, segment: u64, offset: u64, kind: u32): i32 {
    if (!Cells.isKnown(cell)) return 0;
    if (!Cells.isAddress(cell)) return 1;
    Failure.detail = kind;
    Failure.address(Cause.BUILTIN_INTEGER, segment, offset);
    return -1;
  }

  /**
   * Copies output `index` of the `count` ones in INPUT to `out`, and writes the others to their cells if
   * unknown. A cell with another value is left unchanged: it fails on use or at the end.
   */
  private static outputs(segment: u64, first: u64, count: usize, index: usize, out: usize): i32 {
    for (let i: usize = 0; i < count; i++) {
      const value = INPUT + (i << 5);
      Cells.flag(value);
      if (i == index || Cells.isKnown(Cells.at(segment, first + u64(i)))) continue;
      if (!Cells.write(segment, first + u64(i), value)) return -1;
      const cell = Cells.at(segment, first + u64(i));
      store<u64>(cell, load<u64>(cell, 24) | DERIVED, 24);
    }
    Felt.copy(out, INPUT + (index << 5));
    return 1;
  }

  private static ecOp(segment: u64, offset: u64, out: usize): i32 {
    const index = offset % InstanceCells.EC_OP;
    if (index < InstanceInputs.EC_OP) return 0;
    const first = offset - index;
    const read = Builtins.inputs(segment, first, InstanceInputs.EC_OP, Kind.EC_OP);
    if (read != 1) return read;
    Work.add(Cost.EC_OP);
    const status = EcOp.run(OUTPUT, INPUT, INPUT + 64, INPUT + 128);
    if (status != EcStatus.OK) {
      const isFirst = status == EcStatus.FIRST_NOT_ON_CURVE;
      const point = isFirst ? INPUT : INPUT + 64;
      // The host reads the coordinates as cells.
      Cells.flag(point);
      Cells.flag(point + 32);
      if (status == EcStatus.SAME_X) Failure.address(Cause.EC_SAME_X, segment, first);
      else Failure.cells(Cause.EC_NOT_ON_CURVE, point, point + 32);
      return -1;
    }
    memory.copy(INPUT, OUTPUT, 64);
    return Builtins.outputs(segment, first + 5, 2, usize(index - 5), out);
  }

  private static keccak(segment: u64, offset: u64, out: usize): i32 {
    const index = offset % InstanceCells.KECCAK;
    if (index < InstanceInputs.KECCAK) return 0;
    const first = offset - index;
    for (let i: u64 = 0; i < 8; i++) {
      const cell = Cells.at(segment, first + i);
      const integer = Builtins.integer(cell, segment, first + i, Kind.KECCAK);
      if (integer != 1) return integer;
      if ((load<u64>(cell, 24) & VALUE) >> 8 != 0) {
        Failure.detail = 200;
        Failure.addressAndCell(Cause.BITWISE_RANGE, segment, first + i, cell);
        return -1;
      }
      // Eight words of 25 bytes each make the 200 bytes of state.
      memory.copy(LANES + usize(i) * 25, cell, 25);
    }
    Work.add(Cost.KECCAK);
    Keccak.permute(LANES);
    memory.fill(INPUT, 0, 256);
    for (let i: usize = 0; i < 8; i++) memory.copy(INPUT + (i << 5), LANES + i * 25, 25);
    return Builtins.outputs(segment, first + 8, 8, usize(index - 8), out);
  }
}
