import type { Felt } from "#base/primitives/index.ts";
import { abortImport, checkAbi, compileKernel } from "#kernels/field/index.ts";
import {
  INPUT_STATES,
  type InputState,
  LAYOUT,
  SEGMENT_KINDS,
  type SegmentKind,
  STATUSES,
  VM_ABI,
  type VmStatus,
} from "./abi.ts";
import { PROGRAM_AREA_BYTES, spanBytesFor } from "./address-space.ts";
import { VM_KERNEL_PATHS } from "./assets.ts";
import { CellTransfer } from "./cell-transfer.ts";
import { type Address, addressOf, type CellValue, CellView, writeAddressCell } from "./cells.ts";
import type { VmExports } from "./exports.ts";
import { readFailureRecord, type VmFailureRecord } from "./failure-record.ts";
import type { FeltBlock } from "./felt-block.ts";
import { hostImports, type VmHost } from "./host.ts";
import { type PlacedProgram, ProgramArea, type ProgramImage } from "./program-area.ts";
import { writeProgram } from "./program-memory.ts";

/** Sizes and behaviour of a {@link VmKernel}. */
export interface VmKernelOptions {
  /** Another build of the kernel than the one that fits the engine; for tests. */
  readonly module?: WebAssembly.Module;
  /**
   * Bytes that the cells of all nested frames together may touch, in whole pages of 4 KiB; what they
   * may span follows ({@link spanBytesFor}).
   */
  readonly cellBytes: number;
  /** Most bytes that they may span; as far as the address space goes where it is left out. */
  readonly maxSpanBytes?: number | undefined;
  /** Programs kept beyond those that are running. */
  readonly programBytes: number;
  /** Decode everything to the slow path. */
  readonly slowPath?: boolean;
}

let compiled: WebAssembly.Module | undefined;

function productModule(): WebAssembly.Module {
  compiled ??= compileKernel(VM_KERNEL_PATHS);
  return compiled;
}

/** Compiles the machine, if it is not, so that threads that are started from now on have it. */
export function compileMachine(): void {
  productModule();
}

/**
 * One instance of the Cairo machine kernel.
 *
 * Frames nest: {@link begin} starts one above the running one, {@link end} drops it with all of its
 * segments. All other methods are about the top frame. Numbers of cells and offsets are below 2^32.
 */
export class VmKernel {
  readonly #exports: VmExports;
  readonly #cells: CellView;
  readonly #transfer: CellTransfer;
  readonly #programs: ProgramArea;
  readonly #slowPath: boolean;
  readonly #host: VmHost;

  /** @throws {KernelError} when the engine refuses the module or the memory */
  constructor(host: VmHost, options: VmKernelOptions) {
    this.#host = host;
    let memory: WebAssembly.Memory | undefined;
    const instance = new WebAssembly.Instance(options.module ?? productModule(), {
      env: { abort: abortImport(() => memory) },
      host: hostImports(host, () => memory),
    });
    const exports = instance.exports as unknown as VmExports;
    checkAbi("vm", exports, VM_ABI);
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const span = spanBytesFor(options.cellBytes, options.maxSpanBytes);
    const area = exports.initialize(span, PROGRAM_AREA_BYTES, seed);
    exports.setBudget(options.cellBytes);
    memory = exports.memory;
    this.#exports = exports;
    this.#cells = new CellView(memory.buffer);
    this.#transfer = new CellTransfer(exports, () => host.pause());
    this.#programs = new ProgramArea(area >>> 0, PROGRAM_AREA_BYTES, options.programBytes);
    this.#slowPath = options.slowPath === true;
  }

  /**
   * Loads a program (or finds it loaded) and keeps it until {@link unpin}.
   *
   * @returns `undefined` when no room is left beside the running programs
   */
  pin(image: ProgramImage): PlacedProgram | undefined {
    return this.#programs.pin(image, (program) => {
      this.#place(program);
    });
  }

  /** Allows the program to be replaced by others. */
  unpin(program: PlacedProgram): void {
    this.#programs.unpin(program);
  }

  #place(program: PlacedProgram): void {
    const { image, slots, cells } = program;
    writeProgram(this.#exports.memory.buffer, program);
    this.#exports.decode(slots, cells, image.length, this.#slowPath ? 1 : 0);
  }

  /** Replaces a cell of a loaded program by an address; for the per-run cells behind the bytecode. */
  setProgramAddress(program: PlacedProgram, at: number, address: Address): void {
    writeAddressCell(this.#cells, (program.cells + at * LAYOUT.CELL_BYTES) >>> 3, address);
  }

  /** A frame over the program. @returns false when too many are nested or memory is used up */
  begin(program: PlacedProgram, countHoles: boolean): boolean {
    const { slots, cells, image } = program;
    return this.#exports.beginFrame(slots, cells, image.length, countHoles ? 1 : 0) === 1;
  }

  /** Drops the top frame. What {@link VmHost.pause} throws leaves it there. */
  end(): void {
    this.#exports.endFrame();
  }

  /** Drops all frames, also those that {@link VmHost.pause} has ended in the middle of something. */
  reset(): void {
    this.#exports.reset();
  }

  /** For long work on the host's side: see {@link VmHost.pause}. */
  pause(): void {
    this.#host.pause();
  }

  /** Bytes of cells that runs of this instance have touched: they stay resident. */
  get residentBytes(): number {
    return this.#exports.residentBytes() >>> 0;
  }

  /** Most bytes of cells that frames had touched at a time since it was last asked. */
  takePeakBytes(): number {
    return this.#exports.takePeakBytes() >>> 0;
  }

  /** Sets how many bytes the cells of all frames may touch. */
  setBudget(bytes: number): void {
    this.#exports.setBudget(bytes);
  }

  /** A new segment. @returns -1 when memory is used up */
  addSegment(kind: SegmentKind): number {
    return this.#exports.addSegment(SEGMENT_KINDS.indexOf(kind));
  }

  /** Number of segments of the frame. */
  segmentCount(): number {
    return this.#exports.segmentCount();
  }

  /** Highest written offset plus one. */
  segmentSize(segment: number): number {
    return this.#exports.segmentSize(segment) >>> 0;
  }

  /** A cell's content. */
  read(address: Address): CellValue {
    return this.#transfer.read(address);
  }

  /** `count` cells' contents. */
  readMany(address: Address, count: number): CellValue[] {
    return this.#transfer.readMany(address, count);
  }

  /** `count` integer cells. @returns `undefined` when one is unwritten or an address */
  readBlock(address: Address, count: number): FeltBlock | undefined {
    return this.#transfer.readBlock(address, count);
  }

  /** Writes a cell. @returns false with a failure record when it holds another value or must not */
  write(address: Address, value: Felt | Address): boolean {
    return this.#transfer.write(address, value);
  }

  /** Writes consecutive cells. @returns false with a failure record */
  writeMany(address: Address, values: readonly (Felt | Address)[]): boolean {
    return this.#transfer.writeMany(address, values);
  }

  /** As {@link writeMany}, from the compact form. */
  writeBlock(address: Address, block: FeltBlock): boolean {
    return this.#transfer.writeBlock(address, block);
  }

  /** Sets registers (ap and fp as offsets in segment 1); the run ends at (endSegment, 0). */
  setRegisters(pc: number, ap: number, fp: number, endSegment: number): void {
    this.#exports.setRegisters(pc, ap, fp, endSegment);
  }

  /** Program counter. */
  get pc(): Address {
    const { pc, pcSegment } = this.#exports;
    return addressOf(pcSegment() >>> 0, BigInt.asUintN(64, pc()));
  }

  /** Allocation pointer as an offset in segment 1; it may lie beyond what can be written. */
  get ap(): number {
    return this.#exports.ap();
  }

  /** Frame pointer as an offset in segment 1. */
  get fp(): number {
    return this.#exports.fp() >>> 0;
  }

  /** Sets how many steps the frame may take in all; also while it waits in a host call. */
  setStepLimit(limit: number): void {
    this.#exports.setStepLimit(limit);
  }

  /** Executes up to `budget` steps, within the step limit. */
  run(budget: number): VmStatus {
    return STATUSES[this.#exports.run(budget)] ?? "failed";
  }

  /** Steps of the frame so far. */
  steps(): number {
    return this.#exports.steps() >>> 0;
  }

  /** Blake2s instructions of the frame so far. */
  blakeCount(): number {
    return this.#exports.blakeCount() >>> 0;
  }

  /** Marks cells as accessed. */
  markAccessed(address: Address, count: number): void {
    this.#exports.markAccessed(address.segment, address.offset, count);
  }

  /** Memory holes of the frame. */
  countHoles(): number {
    return this.#exports.countHoles() >>> 0;
  }

  /** Whether written cells of a builtin's segment agree with its rule; else a failure record. */
  verifyDeductions(segment: number): boolean {
    return this.#exports.verifyDeductions(segment) === 1;
  }

  /** Whether a builtin's unused outputs could be computed; else a failure record. */
  verifyOutputs(segment: number): boolean {
    return this.#exports.verifyOutputs(segment) === 1;
  }

  /** Whether all inputs of a builtin's instances are written. */
  verifyInputs(segment: number): InputState {
    return INPUT_STATES[this.#exports.verifyInputs(segment)] ?? "too_few";
  }

  /** For host hints: value of the operand that is encoded at a word of the program's hints. */
  operand(program: PlacedProgram, word: number): CellValue {
    if (this.#exports.operandValue(program.hints + word * 4) !== 1) return undefined;
    return this.#transfer.value;
  }

  /** For host hints: writes to the cell that a reference at a word of the hints names. */
  writeOperand(program: PlacedProgram, word: number, value: Felt | Address): boolean {
    this.#transfer.value = value;
    return this.#exports.operandWrite(program.hints + word * 4) === 1;
  }

  /** What made the last operation fail. */
  failure(): VmFailureRecord {
    return readFailureRecord(this.#cells, this.#exports.failure.value >>> 0);
  }
}
