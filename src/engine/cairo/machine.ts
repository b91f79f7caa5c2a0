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

/** Reads of a host hint between two looks at the cancel flag; a power of two. */
const HINT_READS = 1024;

/** A kernel with the stack of runs on it; serves syscalls and host hints of the innermost one. */
export class Machine {
  readonly kernel: VmKernel;
  readonly #frames: RunFrame[] = [];
  readonly memory: MemoryShare;
  #budgetBytes = 0;
  readonly #isCancelled: () => boolean;
  readonly #garbage = new GarbageWatch();
  /** Set when the kernel's memory is not to be used again. */
  isBroken = false;
  /** Set when the kernel was left in the middle of something, so that its frames must be reset. */
  isInterrupted = false;

  constructor(options: {
    readonly cellBytes: number;
    readonly maxSpanBytes: number;
    readonly programBytes: number;
    readonly slowPath: boolean;
    readonly module: WebAssembly.Module | undefined;
    readonly memory: MemoryShare;
    /** Whether all runs are to end. */
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
    // A permit may have been had already, for what is held beside the cells.
    return this.applyBudget();
  }

  /** Gives the cells what they may take now. @returns whether that is another amount than before */
  applyBudget(): boolean {
    const { cellBytes } = this.memory;
    if (cellBytes === this.#budgetBytes) return false;
    this.#budgetBytes = cellBytes;
    this.kernel.setBudget(cellBytes);
    return true;
  }

  /** Number of runs that are not over. */
  get depth(): number {
    return this.#frames.length;
  }

  /** Makes a run the innermost one; its kernel frame exists already. */
  push(frame: RunFrame): void {
    this.#frames.push(frame);
  }

  /** Ends the innermost run on the host's side. */
  pop(): void {
    this.#frames.pop();
  }

  /** Takes the new steps of the innermost run off its budget. @returns what is left */
  countSteps(frame: RunFrame): number {
    const steps = this.kernel.steps();
    frame.stepBudget.left -= steps - frame.countedSteps;
    frame.countedSteps = steps;
    return frame.stepBudget.left;
  }

  /** Lets the innermost run take what its budget has left. */
  applyStepLimit(frame: RunFrame): void {
    this.kernel.setStepLimit(frame.countedSteps + Math.max(frame.stepBudget.left, 0));
  }

  /** To be called when a run that is not within another one begins. */
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
    // An inner run of the same class has set its own pointer.
    this.kernel.setProgramAddress(frame.placed, frame.placed.image.length - 1, {
      segment: frame.costsSegment,
      offset: 0,
    });
    return 0;
  }

  /** A syscall of a Cairo 0 run, whose hint says where. @returns text of a failure that ends the run */
  #legacySyscall(frame: RunFrame, at: Address): string | undefined {
    const { syscallPtr } = frame;
    if (at.segment !== syscallPtr.segment || at.offset !== syscallPtr.offset) {
      const got = at.offset < LAYOUT.FAR_OFFSET ? at : this.kernel.failure().extra;
      return `Bad syscall_ptr; expected: ${addressDebugText(syscallPtr)}, got: ${addressDebugText(got)}.`;
    }
    return this.#makeSyscall(frame);
  }

  /** Makes the syscall at a run's pointer. @returns text of a failure that ends the run */
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

  /** The failure of the innermost run, with its place. */
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
      // In the reference engine a hint writes by itself, and reads through the machine.
      const isOwn = record.inHint && frame.hostFailure === undefined;
      return isOwn && record.cause === "inconsistent" ? { ...failure, inHint: true } : failure;
    }
    const inHint = frame.hostFailure === undefined ? record.inHint : frame.failedInHint === true;
    return { ...failure, inHint };
  }

  /** A failure of the innermost run at its current place. */
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
