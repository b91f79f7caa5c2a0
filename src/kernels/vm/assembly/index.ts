import { ABI_FINGERPRINT, Layout } from "./abi.generated";
import { Cells } from "./cells";
import { Decoder } from "./decode";
import { Seed } from "./dictionaries";
import { FAILURE, Failure } from "./failure";
import { Frames } from "./frames";
import { apOffset, exactPc, F } from "./frame";
import { CELL, KNOWN, REL } from "./layout";
import { Regions } from "./regions";
import { Operands } from "./operands";
import { execute } from "./run";
import { Verify } from "./verify";

/** Fingerprint of the ABI that the kernel was built with. */
export const abi: u32 = ABI_FINGERPRINT;

/** Transfer area for cells to and from the host, {@link Layout.TRANSFER_CELLS} of them. */
export const transfer: usize = heap.alloc(usize(Layout.TRANSFER_CELLS) * CELL);

/** Address of the failure record (failure.ts). */
export const failure: usize = FAILURE;

/**
 * Allocates the kernel's memory; call it once.
 *
 * @returns the address of the area for programs
 */
export function initialize(cellBytes: u32, programBytes: u32, seed: u32): u32 {
  Seed.value ^= (u64(seed) << 32) | u64(~seed);
  return u32(Frames.initialize(cellBytes, programBytes));
}

/**
 * Decodes a program whose cells and hint addresses the host has written.
 *
 * @param slots - address of the decoded slots
 * @param cells - address of the program's cells
 * @param length - number of cells
 * @param slowOnly - 1 to run every instruction on the slow path
 */
export function decode(slots: u32, cells: u32, length: u32, slowOnly: u32): void {
  Decoder.program(slots, cells, length, slowOnly != 0);
}

/**
 * Starts a frame, the state of one run, over a program decoded with the same first arguments.
 *
 * @param marks - 1 to mark accessed cells, which {@link countHoles} needs
 * @returns 1, or 0 if frames are nested too deeply or memory is used up
 */
export function beginFrame(slots: u32, cells: u32, length: u32, marks: u32): u32 {
  return u32(Frames.begin(slots, cells, length, marks));
}

/** Clears the running frame's memory and returns to the frame below. */
export function endFrame(): void {
  Frames.end();
}

/** Ends all frames, whatever their state, without calling the host. */
export function reset(): void {
  Frames.reset();
}

/** Returns the maximum bytes that frames had touched at the end of one since the previous call. */
export function takePeakBytes(): u32 {
  const bytes = u32(Frames.peak);
  Frames.peak = 0;
  return bytes;
}

/** Bytes of cells that stay resident after their frames have ended. */
export function residentBytes(): u32 {
  return u32(Frames.resident());
}

/** Sets the maximum number of bytes that cells may touch. */
export function setBudget(bytes: u32): void {
  Regions.budget = bytes;
}

/**
 * Returns the address of `count` consecutive cells if all of them hold integers; 0 if one is unwritten or
 * holds an address. The top limb of each cell also contains its flags.
 */
export function integersAt(segment: u32, offset: u32, count: u32): usize {
  if (segment >= F.segmentCount || u64(offset) + u64(count) > u64(Cells.size(segment))) return 0;
  const start = Cells.at(segment, offset);
  const end = start + (usize(count) << 5);
  for (let cell = start; cell < end; cell += 32) {
    if ((load<u64>(cell, 24) & (KNOWN | REL)) != KNOWN) return 0;
  }
  return start;
}

/** Number of nested frames, the running one included; 0 if none runs. */
export function depth(): u32 {
  return Regions.depth;
}

/** Adds an empty segment of a builtin's kind to the running frame. @returns its number, or -1 without memory */
export function addSegment(kind: u32): i32 {
  return Cells.addSegment(kind);
}

/** Writes `count` cells of the transfer area to a segment. @returns 1, or 0 after a recorded failure */
export function writeCells(segment: u32, offset: u32, count: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    if (!Cells.write(u64(segment), u64(offset) + u64(i), transfer + (usize(i) << 5))) return 0;
  }
  return 1;
}

/** Gives a new segment exactly `cells` cells, at most {@link Layout.MAX_SEGMENT_CELLS}. */
export function reserve(segment: u32, cells: u32): void {
  if (segment < F.segmentCount) Cells.reserve(Cells.segment(segment), cells);
}

/** Copies `count` cells of a segment to the transfer area, unknown ones as zeros. */
export function readCells(segment: u32, offset: u32, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    memory.copy(transfer + (usize(i) << 5), Cells.at(u64(segment), u64(offset) + u64(i)), 32);
  }
}

/** Size of a segment of the running frame: highest written offset plus one; 0 if it does not exist. */
export function segmentSize(segment: u32): u32 {
  return segment < F.segmentCount ? Cells.size(segment) : 0;
}

/** Number of segments of the running frame. */
export function segmentCount(): u32 {
  return F.segmentCount;
}

/** Sets the registers, ap and fp as offsets, and the segment where the run ends. */
export function setRegisters(pc: u32, ap: u32, fp: u32, endSegment: u32): void {
  F.pcSegment = 0;
  F.pc = pc;
  F.ap = F.stackBase + (usize(ap) << 5);
  F.fp = F.stackBase + (usize(fp) << 5);
  F.endSegment = endSegment;
}

/** The program counter's offset. */
export function pc(): u64 {
  return exactPc();
}

/** The allocation pointer's offset. */
export function ap(): f64 {
  return f64(apOffset());
}

/** The program counter's segment. */
export function pcSegment(): u32 {
  return F.pcSegment;
}

/** The frame pointer's offset. */
export function fp(): u32 {
  return u32((F.fp - F.stackBase) >> 5);
}

/** Executes up to `budget` steps of the running frame. @returns a Status */
export function run(budget: u32): u32 {
  Failure.inHint = false;
  return execute(budget);
}

/** Sets the total number of steps that the running frame may take. */
export function setStepLimit(limit: f64): void {
  F.stepLimit = u64(limit);
}

/** Number of steps that the running frame has executed; fits in 32 bits. */
export function steps(): u32 {
  return u32(F.steps);
}

/** Number of Blake instructions that the running frame has executed. */
export function blakeCount(): u32 {
  return F.blakeCount;
}

/** Marks `count` cells as accessed, so that {@link countHoles} does not count them. */
export function markAccessed(segment: u32, offset: u32, count: u32): void {
  Frames.mark(segment, offset, count);
}

/**
 * Number of the running frame's memory holes: cells that were written or skipped, but never accessed. See
 * {@link Frames.holes}.
 */
export function countHoles(): u32 {
  return Frames.holes();
}

/** For a host hint: copies the next operand to the transfer area; 1 on success. */
export function operandValue(cursor: u32): u32 {
  Operands.cursor = cursor;
  return u32(Operands.value(transfer));
}

/**
 * For a host hint: writes the transfer area's first cell to the cell that an operand names.
 *
 * @param cursor - address of the operand in the hint words
 * @returns 1 on success, 0 on failure
 */
export function operandWrite(cursor: u32): u32 {
  Operands.cursor = cursor;
  return u32(Operands.put(transfer));
}

/**
 * Checks that every written cell that a builtin can compute has the computed value.
 *
 * @returns 1, or 0 after a recorded failure
 */
export function verifyDeductions(segment: u32): u32 {
  return u32(Verify.deductions(segment));
}

/**
 * Checks that the builtin outputs that a run has not used can be computed from their inputs.
 *
 * @returns 1, or 0 after a recorded failure
 */
export function verifyOutputs(segment: u32): u32 {
  return u32(Verify.outputs(segment));
}

/**
 * Checks whether all inputs of all builtin instances are written.
 *
 * @returns an InputState
 */
export function verifyInputs(segment: u32): u32 {
  return Verify.inputs(segment);
}
