import { FeltBlock, type Felts } from "#kernels/vm/index.ts";
import { addResources, emptyResources } from "../resources.ts";
import type { CallInfo } from "./info.ts";
import { failingChain } from "./panic-text.ts";
import type { CallRecord } from "./record.ts";

/** Calls of an execution that was reverted. Neither its receipt nor a trace of JSON-RPC has them. */
export interface FailedCalls {
  readonly root: CallInfo;
  /**
   * Index of an inner call at each level, from the root to the call at fault; empty if that is the root, `null` if no
   * call is: the transaction cost more than its sender allowed.
   */
  readonly path: readonly number[] | null;
}

/** Most bytes of calldata and results of calls without an end that are kept. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024;

/**
 * Collects the calls of one phase that end with an error which their callers cannot handle: the machine drops their
 * records on the way out. It changes nothing of the phase's result, and counts for none of its limits.
 */
export class FailedCallNotes {
  #root: CallRecord | undefined;
  #path: readonly number[] = [];
  #leftBytes = MAX_KEPT_BYTES;

  /** The calls so far; `undefined` if none failed. */
  get calls(): FailedCalls | undefined {
    return this.#root && { root: this.#root, path: this.#path };
  }

  /**
   * Notes a call that ended with an error, which its caller passes on. Its gas is what it had used when gas was last
   * observed; of its steps only those of inner calls are known.
   *
   * @param gasLeft - Sierra gas when it was last observed
   */
  abandon(record: CallRecord, gasLeft: number): void {
    const inner = this.#root;
    this.#path = inner === undefined ? [] : [record.innerCalls.length, ...this.#path];
    if (inner !== undefined) record.innerCalls.push(inner);
    record.failed = true;
    record.calldata = this.#kept(record.calldata);
    if (record.trackedResource === "sierra_gas") {
      const used = record.initialGas - BigInt(gasLeft);
      record.gasConsumed = used > 0n ? used : 0n;
    } else {
      const total = emptyResources();
      for (const { vmResources } of record.innerCalls) addResources(total, vmResources);
      record.vmResources = total;
    }
    this.#root = record;
  }

  /** Notes a call that ended with a panic which its caller cannot handle. */
  panic(record: CallRecord): void {
    this.#path = panicPath(record);
    record.result = this.#kept(record.result);
    this.#root = record;
  }

  /** Forgets failed calls, because a call around them went on. */
  forget(): void {
    this.#root = undefined;
    this.#path = [];
  }

  #kept(felts: Felts): Felts {
    const bytes = felts instanceof FeltBlock ? felts.sizeBytes : 0;
    this.#leftBytes -= bytes;
    return bytes === 0 || this.#leftBytes >= 0 ? felts : FeltBlock.EMPTY;
  }
}

/** Indices of the inner calls whose panic was passed on; ends where that is ambiguous. */
function panicPath(root: CallInfo): readonly number[] {
  const [, ...inner] = failingChain(root);
  const path: number[] = [];
  let call = root;
  for (const next of inner) {
    path.push(call.innerCalls.indexOf(next));
    call = next;
  }
  return path;
}
