import type { VmFailureNotes } from "#engine/cairo/index.ts";
import { type Felt, paddedHexFromFelt } from "#base/primitives/index.ts";
import type { CallError, CallFailureFrame, ConstructorError, SyscallError } from "./errors.ts";
import type { CallInfo } from "./info.ts";
import { frameOf, type PanicHeader, panicOf, TRACE_LENGTH_CAP } from "./panic-text.ts";

/** Structured failure: nested frames around a final message. */
export interface CallFailure {
  /** Outermost first. A call that passed on a panic appears twice, as in the reference engine's stack. */
  readonly frames: readonly CallFailureFrame[];
  /** Text of the innermost error. */
  readonly message: string;
  /** Complete text, as in a revert reason. */
  readonly text: string;
}

const SLACK = 100;

/** First line of an error text, by failed phase. */
const HEADERS = {
  constructor: "Contract constructor execution has failed:\n",
  execution: "Transaction execution has failed:\n",
  validation: "Transaction validation has failed:\n",
} as const;

/** Kind of execution that failed. */
export type FailedPhase = keyof typeof HEADERS;

/** Target of a failed call. */
export interface FailedCall {
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly selector: Felt | undefined;
}

/**
 * Builds the error text of a transaction: one segment per frame, joined by line breaks, with the middle cut
 * out if it is too long. The text is part of the receipt commitment from 0.13.2 on.
 *
 * Source: the reference engine's `stack_trace.rs`.
 *
 * @param stripVmFrames - omit program counters of calls metered in Sierra gas (0.14.4)
 */
export function callFailure(
  phase: FailedPhase,
  call: FailedCall,
  error: CallError,
  stripVmFrames: boolean,
): CallFailure {
  const stack = new ErrorStack(stripVmFrames);
  const preamble =
    phase === "constructor"
      ? "Error in the contract class constructor"
      : "Error in the called contract";
  stack.frame(0, preamble, call);
  stack.callError(1, error);
  const text = HEADERS[phase] + cap(stack.segments.join("\n"));
  return { frames: stack.frames, message: stack.message, text };
}

/** Converts a panic to a structured failure. */
export function panicFailure(root: CallInfo, header: PanicHeader): CallFailure {
  const { frames, reason, text } = panicOf(root, header);
  return { frames: frames.length === 0 ? [frameOf(root)] : frames, message: reason, text };
}

function cap(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= TRACE_LENGTH_CAP + SLACK) return text;
  const half = TRACE_LENGTH_CAP / 2;
  if (bytes === text.length) return `${text.slice(0, half)}\n\n...\n\n${text.slice(-half)}`;
  // The limit counts UTF-8 bytes; characters are never split.
  const encoded = Buffer.from(text);
  let head = half;
  while (((encoded[head] ?? 0) & 0xc0) === 0x80) head--;
  let tail = bytes - half;
  while (((encoded[tail] ?? 0) & 0xc0) === 0x80) tail++;
  return `${encoded.subarray(0, head).toString()}\n\n...\n\n${encoded.subarray(tail).toString()}`;
}

class ErrorStack {
  readonly segments: string[] = [];
  readonly frames: CallFailureFrame[] = [];
  readonly #stripVmFrames: boolean;
  #panicReason: string | undefined;

  constructor(stripVmFrames: boolean) {
    this.#stripVmFrames = stripVmFrames;
  }

  get message(): string {
    return this.#panicReason ?? (this.segments.at(-1) ?? "").trimEnd();
  }

  frame(depth: number, preamble: string, call: FailedCall): void {
    const selector = call.selector === undefined ? "UNKNOWN" : paddedHexFromFelt(call.selector);
    this.segments.push(
      `${depth}: ${preamble} (contract address: ${paddedHexFromFelt(call.contractAddress)}, ` +
        `class hash: ${paddedHexFromFelt(call.classHash)}, selector: ${selector}):`,
    );
    this.frames.push({
      contractAddress: call.contractAddress,
      classHash: call.classHash,
      selector: call.selector ?? 0n,
    });
  }

  callError(depth: number, error: CallError): void {
    switch (error.kind) {
      case "panic":
        this.segments.push(error.panic.text);
        this.frames.push(...error.panic.frames);
        this.#panicReason = error.panic.reason;
        return;
      case "message":
        this.segments.push(`${error.message}\n`);
        return;
      case "vm": {
        if (error.pc === null) {
          this.segments.push(error.cause.kind === "syscall" ? "" : error.cause.message);
          return;
        }
        if (!(this.#stripVmFrames && error.trackedResource === "sierra_gas")) {
          this.segments.push(vmFrame(error.pc, error.traceback, error.notes));
        }
        if (error.cause.kind === "syscall") this.syscallError(depth, error.cause.error);
        else if (error.cause.kind === "hint") this.segments.push(error.cause.message);
        else this.segments.push(`${error.cause.message}\n`);
      }
    }
  }

  constructorError(depth: number, error: ConstructorError): void {
    this.frame(depth, "Error in the contract class constructor", error);
    this.callError(depth, error.error);
  }

  syscallError(depth: number, error: SyscallError): void {
    switch (error.kind) {
      case "call": {
        const preamble = error.isLibraryCall
          ? "Error in a library call"
          : "Error in the called contract";
        this.frame(depth, preamble, error);
        this.syscallError(depth + 1, error.error);
        return;
      }
      case "constructor":
        this.constructorError(depth, error.error);
        return;
      case "entry_point":
        this.callError(depth, error.error);
        return;
      case "message":
        this.segments.push(error.message);
    }
  }
}

function vmFrame(
  pc: string,
  traceback: readonly string[],
  notes: VmFailureNotes | undefined,
): string {
  let text = `${notes?.pc ?? ""}Error at pc=${pc}:`;
  if (traceback.length > 0) {
    text += "\nCairo traceback (most recent call last):\n";
    for (const [index, caller] of traceback.entries()) {
      text += `${notes?.traceback[index] ?? ""}Unknown location (pc=${caller})\n`;
    }
  }
  return text;
}
