import type { Felt } from "#base/primitives/index.ts";
import { abortImport, compileKernel } from "#kernels/field/index.ts";
import { VM_KERNEL_PATHS } from "./assets.ts";
import {
  type Address,
  addressOf,
  type CellValue,
  CellView,
  readCell,
  writeAddressCell,
  writeFeltCell,
} from "./cells.ts";
import { FeltBlock } from "./felt-block.ts";
import { type PlacedProgram, ProgramArea, type ProgramImage } from "./program-area.ts";

/** What a segment is for; numbers of assembly/layout.ts. */
export const SEGMENT_KINDS = {
  plain: 0,
  range_check: 1,
  range_check96: 2,
  pedersen: 3,
  bitwise: 4,
  ec_op: 5,
  poseidon: 6,
  keccak: 7,
  ecdsa: 8,
  segment_arena: 9,
  add_mod: 10,
  mul_mod: 11,
  output: 12,
} as const;

/** Name of a kind of segment. */
export type SegmentKind = keyof typeof SEGMENT_KINDS;

/** How {@link VmKernel.run} came back. */
export type VmStatus = "slice" | "done" | "failed";

/** What the kernel recorded about a failure; causes are those of assembly/failure.ts. */
export interface VmFailureRecord {
  readonly cause: number;
  readonly inHint: boolean;
  readonly detail: number;
  /** An address beside the two cells. */
  readonly extra: Address;
  readonly first: CellValue;
  readonly second: CellValue;
}

/** Calls from running programs; a non-zero result ends the run with the cause HOST. */
export interface VmHost {
  systemCall(segment: number, offset: number): number;
  hint(number: number): number;
  /**
   * Called after some milliseconds of work at most. When it throws, what the kernel did comes to an
   * end at once and the instance must be dropped.
   */
  pause(): void;
  /** Checks the instance of the signature builtin that a cell was written to. */
  validateSignature?(segment: number, offset: number): number;
  /** Scalar that the running frame's random points begin with, below 2^256; default 1. */
  pointScalar?(): bigint;
  /** Room for cells is used up: whether it was raised with {@link VmKernel.setBudget}. */
  moreMemory?(): boolean;
}

/** Sizes and behaviour of a {@link VmKernel}. */
export interface VmKernelOptions {
  /** Another build of the kernel than the one that fits the engine; for tests. */
  readonly module?: WebAssembly.Module;
  /**
   * Bytes for the cells of all nested frames together, at most {@link MAX_CELL_BYTES}. Execution
   * segments can take all of them, the other segments together at most what the address space
   * leaves them.
   */
  readonly cellBytes: number;
  /** Programs kept beyond those that are running. */
  readonly programBytes: number;
  /** Decode everything to the slow path. */
  readonly slowPath?: boolean;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly transfer: WebAssembly.Global;
  readonly TRANSFER_CELLS: WebAssembly.Global;
  readonly failure: WebAssembly.Global;
  initialize(cellBytes: number, heapBytes: number, programBytes: number, seed: number): number;
  setBudget(bytes: number): void;
  usedBytes(): number;
  reserve(segment: number, cells: number): void;
  integersAt(segment: number, offset: number, count: number): number;
  decode(slots: number, cells: number, length: number, slowOnly: number): void;
  beginFrame(slots: number, cells: number, length: number, marks: number): number;
  endFrame(clear: number): void;
  addSegment(kind: number): number;
  writeCells(segment: number, offset: number, count: number): number;
  readCells(segment: number, offset: number, count: number): void;
  segmentSize(segment: number): number;
  segmentCount(): number;
  setRegisters(pc: number, ap: number, fp: number, endSegment: number): void;
  pc(): bigint;
  ap(): number;
  register(index: number): number;
  run(budget: number): number;
  setStepLimit(limit: number): void;
  steps(): number;
  blakeCount(): number;
  markAccessed(segment: number, offset: number, count: number): void;
  countHoles(): number;
  peakBytes(): number;
  deduce(segment: number, offset: number): number;
  operandValue(cursor: number): number;
  operandWrite(cursor: number): number;
  verifyDeductions(segment: number): number;
  verifyInputs(segment: number): number;
  verifyOutputs(segment: number): number;
}

/** Address space for running programs; touched only as far as it is used. */
const PROGRAM_AREA_BYTES = 448 * 2 ** 20;

/** Deepest nesting of frames. */
export const MAX_FRAMES = 64;

const PAGE_BYTES = 2 ** 16;

/** Everything but cells and programs: guards between frames, static data; and not the last page. */
const FIXED_BYTES = 144 * 2 ** 20;

/** Bytes of the address space of WebAssembly that segments can share. */
const SEGMENT_SPACE_BYTES = 2 ** 32 - PROGRAM_AREA_BYTES - FIXED_BYTES;

/** Least address space for segments that are not execution segments. */
const MIN_HEAP_BYTES = 640 * 2 ** 20;

/** Most bytes that the cells of one machine can take. */
export const MAX_CELL_BYTES = SEGMENT_SPACE_BYTES - MIN_HEAP_BYTES;

/** Segments that are written at once get exactly what they need from some size on. */
const MIN_RESERVED_CELLS = 1024;
const MAX_RESERVED_CELLS = 2 ** 26;

/** Offsets above are outside of everything that can be written, and of 32 bits. */
const MAX_OFFSET = 2 ** 32 - 1;

const STATUSES: readonly VmStatus[] = ["slice", "done", "failed"];

let compiled: WebAssembly.Module | undefined;

function productModule(): WebAssembly.Module {
  compiled ??= compileKernel(VM_KERNEL_PATHS);
  return compiled;
}

/**
 * One instance of the Cairo machine kernel.
 *
 * Frames nest: {@link begin} starts one above the running one, {@link end} drops it with all of its
 * segments. All other methods are about the top frame. Numbers of cells and offsets are below 2^32.
 */
export class VmKernel {
  readonly #exports: Exports;
  readonly #bytes: Uint8Array;
  readonly #limbs: BigUint64Array;
  readonly #cells: CellView;
  readonly #words: Uint32Array;
  readonly #transfer: number;
  readonly #transferCells: number;
  readonly #programs: ProgramArea;
  readonly #slowPath: boolean;
  readonly #host: VmHost;

  /** @throws {KernelError} when the engine refuses the module or the memory */
  constructor(host: VmHost, options: VmKernelOptions) {
    this.#host = host;
    let memory: WebAssembly.Memory | undefined;
    const imports = {
      env: { abort: abortImport(() => memory) },
      hints: {
        systemCall: (segment: number, offset: number) =>
          host.systemCall(segment >>> 0, offset >>> 0),
        hostHint: (number: number) => host.hint(number >>> 0),
      },
      work: { pause: () => host.pause() },
      "math-hints": {
        pointScalar: (at: number) => {
          this.#writeScalar(at >>> 0, host.pointScalar?.() ?? 1n);
        },
      },
      cells: {
        validateSignature: (segment: number, offset: number) =>
          host.validateSignature?.(segment >>> 0, offset >>> 0) ?? 0,
      },
      layout: { moreMemory: () => (host.moreMemory?.() === true ? 1 : 0) },
    };
    const instance = new WebAssembly.Instance(options.module ?? productModule(), imports);
    this.#exports = instance.exports as unknown as Exports;
    const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    const cellBytes = Math.min(options.cellBytes, MAX_CELL_BYTES);
    const heapBytes = Math.min(cellBytes, SEGMENT_SPACE_BYTES - cellBytes);
    const area = this.#exports.initialize(
      cellBytes,
      Math.floor(heapBytes / PAGE_BYTES) * PAGE_BYTES,
      PROGRAM_AREA_BYTES,
      seed,
    );
    memory = this.#exports.memory;
    const { buffer } = memory;
    this.#bytes = new Uint8Array(buffer);
    this.#limbs = new BigUint64Array(buffer);
    this.#cells = new CellView(buffer);
    this.#words = new Uint32Array(buffer);
    this.#transfer = pointer(this.#exports.transfer);
    this.#transferCells = pointer(this.#exports.TRANSFER_CELLS);
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
    const { image, slots, cells, constants, hints } = program;
    const bytes = this.#bytes;
    bytes.fill(0, slots, cells);
    bytes.set(image.cells, cells);
    bytes.set(image.constants, constants);
    const words = this.#words;
    words.set(image.hintWords, hints >>> 2);
    for (const at of image.constantWords) {
      const index = (hints >>> 2) + at;
      words[index] = (words[index] as number) + constants;
    }
    for (const [pc, at] of image.hintStarts) words[((slots + pc * 32) >>> 2) + 4] = hints + at * 4;
    this.#exports.decode(slots, cells, image.length, this.#slowPath ? 1 : 0);
  }

  /** Replaces a cell of a loaded program by an address; for the per-run cells behind the bytecode. */
  setProgramAddress(program: PlacedProgram, at: number, address: Address): void {
    writeAddressCell(this.#cells, (program.cells + at * 32) >>> 3, address);
  }

  /** A frame over the program. @returns false when too many are nested or memory is used up */
  begin(program: PlacedProgram, countHoles: boolean): boolean {
    const { slots, cells, image } = program;
    return this.#exports.beginFrame(slots, cells, image.length, countHoles ? 1 : 0) === 1;
  }

  /** Drops the top frame. @param clear - false when the instance is dropped with it */
  end(clear = true): void {
    this.#exports.endFrame(clear ? 1 : 0);
  }

  /** For long work on the host's side: see {@link VmHost.pause}. */
  pause(): void {
    this.#host.pause();
  }

  /** Most bytes of cells that a run of this instance has touched: they stay resident. */
  get peakBytes(): number {
    return this.#exports.peakBytes() >>> 0;
  }

  /** Sets how many bytes the cells of all frames may take, at most what it was made for. */
  setBudget(bytes: number): void {
    this.#exports.setBudget(bytes);
  }

  /** Bytes that the cells of all frames span now. */
  get usedBytes(): number {
    return this.#exports.usedBytes() >>> 0;
  }

  /** A new segment. @returns -1 when memory is used up */
  addSegment(kind: SegmentKind): number {
    return this.#exports.addSegment(SEGMENT_KINDS[kind]);
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
    if (address.offset > MAX_OFFSET) return undefined;
    this.#exports.readCells(address.segment, address.offset, 1);
    return readCell(this.#cells, this.#transfer >>> 3);
  }

  /** `count` cells' contents. */
  readMany(address: Address, count: number): CellValue[] {
    if (address.offset + count > MAX_OFFSET) return Array.from({ length: count }, () => undefined);
    const values: CellValue[] = [];
    const first = this.#transfer >>> 3;
    for (let done = 0; done < count; done += this.#transferCells) {
      const part = Math.min(count - done, this.#transferCells);
      if (done > 0) this.#host.pause();
      this.#exports.readCells(address.segment, address.offset + done, part);
      for (let i = 0; i < part; i++) values.push(readCell(this.#cells, first + i * 4));
    }
    return values;
  }

  /** `count` integer cells. @returns `undefined` when one is unwritten or an address */
  readBlock(address: Address, count: number): FeltBlock | undefined {
    if (count === 0) return FeltBlock.EMPTY;
    if (address.offset + count > MAX_OFFSET) return undefined;
    const at = this.#exports.integersAt(address.segment, address.offset, count) >>> 0;
    return at === 0 ? undefined : new FeltBlock(this.#bytes.slice(at, at + count * 32));
  }

  /** Writes consecutive cells. @returns false with a failure record */
  writeBlock(address: Address, { cells, length }: FeltBlock): boolean {
    if (address.offset + length > MAX_OFFSET) return false;
    if (address.offset === 0 && length >= MIN_RESERVED_CELLS && length <= MAX_RESERVED_CELLS) {
      this.#exports.reserve(address.segment, length);
    }
    for (let done = 0; done < length; done += this.#transferCells) {
      const part = Math.min(length - done, this.#transferCells);
      const isAll = part === length;
      const piece = isAll ? cells : cells.subarray(done * 32, (done + part) * 32);
      this.#bytes.set(piece, this.#transfer);
      if (this.#exports.writeCells(address.segment, address.offset + done, part) !== 1)
        return false;
    }
    return true;
  }

  /** Writes a cell. @returns false with a failure record when it holds another value or must not */
  write(address: Address, value: Felt | Address): boolean {
    if (address.offset > MAX_OFFSET) return false;
    this.#put(0, value);
    return this.#exports.writeCells(address.segment, address.offset, 1) === 1;
  }

  /** Writes consecutive cells. @returns false with a failure record */
  writeMany(address: Address, values: readonly (Felt | Address)[]): boolean {
    if (address.offset + values.length > MAX_OFFSET) return false;
    for (let done = 0; done < values.length; done += this.#transferCells) {
      const part = Math.min(values.length - done, this.#transferCells);
      if (done > 0) this.#host.pause();
      for (let i = 0; i < part; i++) this.#put(i, values[done + i] as Felt | Address);
      if (this.#exports.writeCells(address.segment, address.offset + done, part) !== 1)
        return false;
    }
    return true;
  }

  #put(at: number, value: Felt | Address): void {
    const index = (this.#transfer >>> 3) + at * 4;
    if (typeof value === "bigint") writeFeltCell(this.#cells, index, value);
    else writeAddressCell(this.#cells, index, value);
  }

  /** Sets registers (ap and fp as offsets in segment 1); the run ends at (endSegment, 0). */
  setRegisters(pc: number, ap: number, fp: number, endSegment: number): void {
    this.#exports.setRegisters(pc, ap, fp, endSegment);
  }

  /** Program counter. */
  get pc(): Address {
    const { pc, register } = this.#exports;
    return addressOf(register(1) >>> 0, BigInt.asUintN(64, pc()));
  }

  /** Allocation pointer as an offset in segment 1; it may lie beyond what can be written. */
  get ap(): number {
    return this.#exports.ap();
  }

  /** Frame pointer as an offset in segment 1. */
  get fp(): number {
    return this.#exports.register(3) >>> 0;
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

  /** Whether all inputs of a builtin's instances are written: 0 yes, 1 too few, 2 some miss. */
  verifyInputs(segment: number): number {
    return this.#exports.verifyInputs(segment);
  }

  /** For host hints: value of the operand that is encoded at a word of the program's hints. */
  operand(program: PlacedProgram, word: number): CellValue {
    if (this.#exports.operandValue(program.hints + word * 4) !== 1) return undefined;
    return readCell(this.#cells, this.#transfer >>> 3);
  }

  /** For host hints: writes to the cell that a reference at a word of the hints names. */
  writeOperand(program: PlacedProgram, word: number, value: Felt | Address): boolean {
    this.#put(0, value);
    return this.#exports.operandWrite(program.hints + word * 4) === 1;
  }

  #writeScalar(at: number, scalar: bigint): void {
    for (let i = 0; i < 4; i++) {
      this.#limbs[(at >>> 3) + i] = BigInt.asUintN(64, scalar >> BigInt(64 * i));
    }
  }

  /** What made the last operation fail. */
  failure(): VmFailureRecord {
    const at = pointer(this.#exports.failure);
    const words = this.#words;
    const limbs = this.#limbs;
    const word = (index: number): number => words[(at >>> 2) + index] as number;
    return {
      cause: word(0),
      inHint: word(1) !== 0,
      detail: word(2),
      extra: addressOf(Number(limbs[(at >>> 3) + 2] as bigint), limbs[(at >>> 3) + 3] as bigint),
      first: readCell(this.#cells, (at >>> 3) + 4),
      second: readCell(this.#cells, (at >>> 3) + 8),
    };
  }
}

function pointer(global: WebAssembly.Global): number {
  return (global.value as number) >>> 0;
}
