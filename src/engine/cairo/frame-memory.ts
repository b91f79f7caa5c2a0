import {
  type Address,
  type CellValue,
  type FeltBlock,
  type Felts,
  LAYOUT,
  type VmKernel,
} from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { MemoryLimitReached } from "./memory-limit.ts";
import type { MemoryShare } from "./memory-share.ts";
import type { RunFrame } from "./run-frame.ts";
import { addPlainSegment, addReadOnlySegment, writeAll } from "./segments.ts";
import type { VmMemory } from "./types.ts";

/** Size of one felt as a bigint in an array. */
const FELT_BYTES = 64;

/** Memory of one run, as its syscall host accesses it. */
export class FrameMemory implements VmMemory {
  readonly #kernel: VmKernel;
  readonly #frame: RunFrame;
  readonly #memory: MemoryShare;

  constructor(kernel: VmKernel, frame: RunFrame, memory: MemoryShare) {
    this.#kernel = kernel;
    this.#frame = frame;
    this.#memory = memory;
  }

  read(address: Address): CellValue {
    return this.#kernel.read(address);
  }

  readMany(address: Address, count: number): readonly CellValue[] {
    return this.#kernel.readMany(address, count);
  }

  readFelt(address: Address): Felt | undefined {
    const value = this.#kernel.read(address);
    return typeof value === "bigint" ? value : undefined;
  }

  readFelts(address: Address, length: number): Felt[] | undefined {
    if (!this.#isWritten(address, length, FELT_BYTES)) return undefined;
    const values = this.#kernel.readMany(address, length);
    return values.every((value) => typeof value === "bigint") ? values : undefined;
  }

  readBlock(address: Address, length: number): FeltBlock | undefined {
    if (!this.#isWritten(address, length, LAYOUT.CELL_BYTES)) return undefined;
    return this.#kernel.readBlock(address, length);
  }

  /**
   * Whether the cells are within their segment; an empty range always is. Must be checked before memory is
   * allocated for the cells.
   */
  #isWritten(address: Address, length: number, bytesEach: number): boolean {
    if (length === 0) return true;
    if (address.offset + length > this.#kernel.segmentSize(address.segment)) return false;
    if (length * bytesEach > this.#memory.limits.hostBytes) throw new MemoryLimitReached();
    return true;
  }

  write(address: Address, value: Felt | Address): boolean {
    return this.#done(address, 1, this.#kernel.write(address, value));
  }

  writeMany(address: Address, values: readonly (Felt | Address)[]): boolean {
    return this.#done(address, values.length, this.#kernel.writeMany(address, values));
  }

  writeFelts(address: Address, values: Felts): boolean {
    return this.#done(address, values.length, writeAll(this.#kernel, address, values));
  }

  /** Distinguishes exhausted memory, which ends the run, from a write conflict, which the caller reports. */
  #done(address: Address, length: number, isDone: boolean): boolean {
    if (isDone || address.offset + length > LAYOUT.FAR_OFFSET) return isDone;
    if (this.#kernel.failure().cause === "memory_limit") throw new MemoryLimitReached();
    return false;
  }

  pause(): void {
    this.#kernel.pause();
  }

  addSegment(): Address {
    return { segment: addPlainSegment(this.#kernel), offset: 0 };
  }

  addReadOnlySegment(values: readonly (Felt | Address)[] | FeltBlock): Address {
    return addReadOnlySegment(this.#kernel, this.#frame.readOnly, values);
  }
}
