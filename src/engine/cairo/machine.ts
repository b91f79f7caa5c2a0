import { type Address, type CellValue, LAYOUT, VmKernel } from "#kernels/vm/index.ts";
import { RunCancelled } from "./cancellation.ts";
import { addressDebugText, addressText } from "./failure-text.ts";
import { FrameMemory } from "./frame-memory.ts";
import { GarbageWatch } from "./garbage-watch.ts";
import type { HintContext } from "./hint-context.ts";
import { executeHostHint } from "./host-hints.ts";
import { kernelFailureText } from "./kernel-failure.ts";
import { isOutOfMemory } from "./memory-limit.ts";
import type { MemoryShare } from "./memory-share.ts";
import type { LegacyHooks, RunFrame } from "./run-frame.ts";
import { traceback } from "./traceback.ts";
import type { SyscallOutcome, VmFailure } from "./types.ts";

/** Reads of a host hint per check of the cancel flag; a power of two. */
const HINT_READS = 1024;

/** Kernel with its stack of nested runs; serves syscalls and host hints of the innermost one. */
export class Machine {
  readonly kernel: VmKernel;
  readonly #frames: RunFrame[] = [];
  readonly memory: MemoryShare;
  #budgetBytes = 0;
  readonly #isCancelled: () => boolean;
  readonly #garbage = new GarbageWatch();
  /** Set when the kernel's memory must not be used again. */
  isBroken = false;
  /** Set when the kernel was interrupted mid-operation, so that its frames must be reset. */
  isInterrupted = false;

  constructor(options: {
    readonly cellBytes: number;
    readonly maxSpanBytes: number;
    readonly programBytes: number;
    readonly slowPath: boolean;
    readonly module: WebAssembly.Module | undefined;
    readonly memory: MemoryShare;
    /** Whether all runs must end. */
    readonly isCancelled: () => boolean;
  }) {
    const { module, memory, isCancelled, ...sizes } = options;
    this.memory = memory;
    this.#isCancelled = isCancelled;
    this.kernel = new VmKernel(
      {
        systemCall: () => this.#systemCall(),
        hint: (number) => this.#hint(number),
        pointScalar: () => this.#frames.at(-1)?.pointScalar?.() ?? 1n,
        validateSignature: (segment, offset) => this.#validateSignature({ segment, offset }),
        pause: () => this.#pause(),
        moreMemory: () => this.#moreMemory(),
      },
      module === undefined ? sizes : { ...sizes, module },
    );
  }

  #moreMemory(): boolean {
    this.memory.raise();
    // The permit may already be held, for memory outside the cells.
    return this.applyBudget();
  }

  /** Sets the cells' budget to what the share currently allows. @returns whether the budget changed */
  applyBudget(): boolean {
    const { cellBytes } = this.memory;
    if (cellBytes === this.#budgetBytes) return false;
    this.#budgetBytes = cellBytes;
    this.kernel.setBudget(cellBytes);
    return true;
  }

  get depth(): number {
    return this.#frames.length;
  }

  /** Pushes a run as the innermost one; its kernel frame must already exist. */
  push(frame: RunFrame): void {
    this.#frames.push(frame);
  }

  pop(): void {
    this.#frames.pop();
  }

  /** Deducts the innermost run's new steps from its budget. @returns the remaining steps */
  countSteps(frame: RunFrame): number {
    const steps = this.kernel.steps();
    frame.stepBudget.left -= steps - frame.countedSteps;
    frame.countedSteps = steps;
    return frame.stepBudget.left;
  }

  /** Limits the innermost run to the steps left in its budget. */
  applyStepLimit(frame: RunFrame): void {
    this.kernel.setStepLimit(frame.countedSteps + Math.max(frame.stepBudget.left, 0));
  }

  /**
   * Notifies the garbage collection of a new run. Call it at the start of each run that is not nested in
   * another.
   */
  watchRun(): void {
    this.#garbage.begin();
  }

  /** @throws {RunCancelled} */
  #pause(): void {
    if (!this.#isCancelled()) return;
    this.isInterrupted = true;
    throw new RunCancelled();
  }

  #systemCall(): number {
    this.#garbage.look();
    const frame = this.#frames.at(-1);
    if (frame === undefined || this.#isCancelled()) return 1;
    frame.hostFailure = this.#makeSyscall(frame);
    if (frame.hostFailure !== undefined) return 1;
    // A nested run of the same class has overwritten the pointer with its own.
    this.kernel.setProgramAddress(frame.placed, frame.placed.image.length - 1, {
      segment: frame.costsSegment,
      offset: 0,
    });
    return 0;
  }

  /**
   * Executes a Cairo 0 syscall at the address given by its hint. @returns the text of a failure that ends the
   * run
   */
  #legacySyscall(frame: RunFrame, at: Address): string | undefined {
    const { syscallPtr } = frame;
    if (at.segment !== syscallPtr.segment || at.offset !== syscallPtr.offset) {
      const got = at.offset < LAYOUT.FAR_OFFSET ? at : this.kernel.failure().extra;
      return `Bad syscall_ptr; expected: ${addressDebugText(syscallPtr)}, got: ${addressDebugText(got)}.`;
    }
    return this.#makeSyscall(frame);
  }

  /** Executes the syscall at a run's syscall pointer. @returns the text of a failure that ends the run */
  #makeSyscall(frame: RunFrame): string | undefined {
    this.countSteps(frame);
    const outcome = this.#serve(frame, frame.syscallPtr);
    this.applyStepLimit(frame);
    if (outcome.kind === "fatal") return outcome.message;
    frame.syscallPtr = outcome.nextPtr;
    return undefined;
  }

  #validateSignature(at: Address): number {
    const frame = this.#frames.at(-1);
    if (frame?.legacy === undefined) return 0;
    frame.hostFailure = frame.legacy.validateSignature(at);
    return frame.hostFailure === undefined ? 0 : 1;
  }

  #legacyHint(frame: RunFrame, legacy: LegacyHooks, number: number): number {
    const failure = legacy.hint(number, (at) => {
      const message = this.#legacySyscall(frame, at);
      return message === undefined ? undefined : { message, inHint: true };
    });
    if (failure === undefined) return 0;
    frame.hostFailure = failure.message;
    frame.failedInHint = failure.inHint;
    frame.isUnsupported = failure.isUnsupported === true;
    return 1;
  }

  #serve(frame: RunFrame, at: Address): SyscallOutcome {
    try {
      return frame.host.syscall(new FrameMemory(this.kernel, frame, this.memory), at);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      frame.isOutOfMemory = true;
      return { kind: "fatal", message: "" };
    }
  }

  #hint(number: number): number {
    if (this.#isCancelled()) return 1;
    const frame = this.#frames.at(-1);
    if (frame?.legacy !== undefined) return this.#legacyHint(frame, frame.legacy, number);
    const hint = frame?.program.hostHints[number];
    if (frame === undefined || hint === undefined) return 1;
    const { kernel } = this;
    let reads = 0;
    const context: HintContext = {
      operand: (name): CellValue => kernel.operand(frame.placed, hint.operands[name] ?? 0),
      writeOperand: (name, value) =>
        kernel.writeOperand(frame.placed, hint.operands[name] ?? 0, value),
      read: (address) => {
        if (++reads % HINT_READS === 0) kernel.pause();
        return kernel.read(address);
      },
      write: (address, value) => kernel.write(address, value),
    };
    if (executeHostHint(hint, context)) return 0;
    frame.hostFailure = `The hint ${hint.name} could not be executed.`;
    return 1;
  }

  /** Returns the innermost run's failure with its location. */
  failure(frame: RunFrame): VmFailure {
    const record = this.kernel.failure();
    const message = frame.hostFailure ?? kernelFailureText(this.kernel);
    const isUnsupported =
      frame.hostFailure === undefined
        ? record.cause === "unsupported"
        : frame.isUnsupported === true;
    const place = {
      ...this.failureAt(frame, message),
      ...(isUnsupported ? { isUnsupported } : {}),
    };
    const failure = record.inHint ? { ...place, duringHint: true } : place;
    if (frame.legacy === undefined) {
      // In the reference engine a hint itself writes, but reads through the machine.
      const isOwn = record.inHint && frame.hostFailure === undefined;
      return isOwn && record.cause === "inconsistent" ? { ...failure, inHint: true } : failure;
    }
    const inHint = frame.hostFailure === undefined ? record.inHint : frame.failedInHint === true;
    return { ...failure, inHint };
  }

  /** Creates a failure of the innermost run at its current location. */
  failureAt({ legacy }: RunFrame, message: string): VmFailure {
    const { pc } = this.kernel;
    const calls = traceback(this.kernel);
    const place = { message, pc: addressText(pc), traceback: calls.map(addressText) };
    if (legacy === undefined) return place;
    const note = ({ segment, offset }: Address): string =>
      segment === 0 ? legacy.errorMessages(offset) : "";
    return { ...place, notes: { pc: note(pc), traceback: calls.map(note) } };
  }
}
