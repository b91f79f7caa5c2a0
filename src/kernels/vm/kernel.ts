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

/** Options of a {@link VmKernel}. */
export interface VmKernelOptions {
  /** Build of the kernel; default: the one that fits the engine. For tests. */
  readonly module?: WebAssembly.Module;
  /**
   * Maximum bytes that the cells of all nested frames together may touch, in whole pages of 4 KiB; determines
   * their address space ({@link spanBytesFor}).
   */
  readonly cellBytes: number;
  /** Maximum bytes of address space for cells; default: the address space's limit. */
  readonly maxSpanBytes?: number | undefined;
  /** Bytes for cached programs that are not running. */
  readonly programBytes: number;
  /** Whether to execute everything on the slow path. */
  readonly slowPath?: boolean;
}

let compiled: WebAssembly.Module | undefined;

function productModule(): WebAssembly.Module {
  compiled ??= compileKernel(VM_KERNEL_PATHS);
  return compiled;
}

/**
 * Compiles the machine kernel ahead of its first use, so that threads that start later share the
 * module.
 */
export function compileMachine(): void {
  productModule();
}

/**
 * Instance of the Cairo machine kernel.
 *
 * Frames nest: {@link begin} starts one above the running one, {@link end} drops it with all of its segments.
 * All other methods apply to the top frame. Numbers of cells and offsets are below 2^32.
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
   * Loads a program, unless it is already loaded, and pins it until {@link unpin}.
   *
   * @returns `undefined` if the running programs leave no room
   */
  pin(image: ProgramImage): PlacedProgram | undefined {
    return this.#programs.pin(image, (program) => {
      this.#place(program);
    });
  }

  /** Allows the program to be evicted. */
  unpin(program: PlacedProgram): void {
    this.#programs.unpin(program);
  }

  #place(program: PlacedProgram): void {
    const { image, slots, cells } = program;
    writeProgram(this.#exports.memory.buffer, program);
    this.#exports.decode(slots, cells, image.length, this.#slowPath ? 1 : 0);
  }

  /** Replaces a cell of a loaded program with an address; for the per-run cells after the bytecode. */
  setProgramAddress(program: PlacedProgram, at: number, address: Address): void {
    writeAddressCell(this.#cells, (program.cells + at * LAYOUT.CELL_BYTES) >>> 3, address);
  }

  /** Starts a frame over the program. @returns `false` if too many are nested or memory is used up */
  begin(program: PlacedProgram, countHoles: boolean): boolean {
    const { slots, cells, image } = program;
    return this.#exports.beginFrame(slots, cells, image.length, countHoles ? 1 : 0) === 1;
  }

  /** Drops the top frame. It still exists if {@link VmHost.pause} throws. */
  end(): void {
    this.#exports.endFrame();
  }

  /** Drops all frames, including those that {@link VmHost.pause} aborted midway. */
  reset(): void {
    this.#exports.reset();
  }

  /** For long work of the host; see {@link VmHost.pause}. */
  pause(): void {
    this.#host.pause();
  }

  /** Bytes of cells that runs of this instance have touched, which stay resident. */
  get residentBytes(): number {
    return this.#exports.residentBytes() >>> 0;
  }

  /** Returns the peak of bytes touched by frames since the previous call. */
  takePeakBytes(): number {
    return this.#exports.takePeakBytes() >>> 0;
  }

  /** Sets the maximum number of bytes that the cells of all frames may touch. */
  setBudget(bytes: number): void {
    this.#exports.setBudget(bytes);
  }

  /** Adds a segment. @returns its number, or -1 if memory is used up */
  addSegment(kind: SegmentKind): number {
    return this.#exports.addSegment(SEGMENT_KINDS.indexOf(kind));
  }

  segmentCount(): number {
    return this.#exports.segmentCount();
  }

  /** Highest written offset plus one. */
  segmentSize(segment: number): number {
    return this.#exports.segmentSize(segment) >>> 0;
  }

  read(address: Address): CellValue {
    return this.#transfer.read(address);
  }

  readMany(address: Address, count: number): CellValue[] {
    return this.#transfer.readMany(address, count);
  }

  /** Reads `count` integer cells. @returns `undefined` if one is unwritten or an address */
  readBlock(address: Address, count: number): FeltBlock | undefined {
    return this.#transfer.readBlock(address, count);
  }

  /** Writes a cell. @returns `false` with a failure record if it has another value or is not writable */
  write(address: Address, value: Felt | Address): boolean {
    return this.#transfer.write(address, value);
  }

  /**
   * Writes consecutive cells.
   *
   * @returns `false` with a failure record if one cell has another value or is not writable
   */
  writeMany(address: Address, values: readonly (Felt | Address)[]): boolean {
    return this.#transfer.writeMany(address, values);
  }

  /** {@link writeMany} from the compact form. */
  writeBlock(address: Address, block: FeltBlock): boolean {
    return this.#transfer.writeBlock(address, block);
  }

  /** Sets registers (ap and fp as offsets in segment 1); the run ends at (endSegment, 0). */
  setRegisters(pc: number, ap: number, fp: number, endSegment: number): void {
    this.#exports.setRegisters(pc, ap, fp, endSegment);
  }

  get pc(): Address {
    const { pc, pcSegment } = this.#exports;
    return addressOf(pcSegment() >>> 0, BigInt.asUintN(64, pc()));
  }

  /** Allocation pointer as an offset in segment 1; may be beyond the writable part. */
  get ap(): number {
    return this.#exports.ap();
  }

  /** Frame pointer as an offset in segment 1. */
  get fp(): number {
    return this.#exports.fp() >>> 0;
  }

  /** Sets the total number of steps that the frame may take; also allowed during a host call. */
  setStepLimit(limit: number): void {
    this.#exports.setStepLimit(limit);
  }

  /** Executes up to `budget` steps, within the step limit. */
  run(budget: number): VmStatus {
    return STATUSES[this.#exports.run(budget)] ?? "failed";
  }

  steps(): number {
    return this.#exports.steps() >>> 0;
  }

  /** Blake2s instructions of the frame so far. */
  blakeCount(): number {
    return this.#exports.blakeCount() >>> 0;
  }

  markAccessed(address: Address, count: number): void {
    this.#exports.markAccessed(address.segment, address.offset, count);
  }

  countHoles(): number {
    return this.#exports.countHoles() >>> 0;
  }

  /** Whether the written cells of a builtin's segment satisfy its rule; if not, there is a failure record. */
  verifyDeductions(segment: number): boolean {
    return this.#exports.verifyDeductions(segment) === 1;
  }

  /** Whether a builtin's unused outputs could be computed; if not, there is a failure record. */
  verifyOutputs(segment: number): boolean {
    return this.#exports.verifyOutputs(segment) === 1;
  }

  /** Whether all inputs of a builtin's instances are written. */
  verifyInputs(segment: number): InputState {
    return INPUT_STATES[this.#exports.verifyInputs(segment)] ?? "too_few";
  }

  /** For host hints: returns the value of the operand encoded at a word of the program's hints. */
  operand(program: PlacedProgram, word: number): CellValue {
    if (this.#exports.operandValue(program.hints + word * 4) !== 1) return undefined;
    return this.#transfer.value;
  }

  /** For host hints: writes to the cell of the reference at a word of the hints. */
  writeOperand(program: PlacedProgram, word: number, value: Felt | Address): boolean {
    this.#transfer.value = value;
    return this.#exports.operandWrite(program.hints + word * 4) === 1;
  }

  /** Failure of the last operation. */
  failure(): VmFailureRecord {
    return readFailureRecord(this.#cells, this.#exports.failure.value >>> 0);
  }
}
