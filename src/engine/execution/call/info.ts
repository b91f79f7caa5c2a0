import type { EntryPointType } from "#protocol/chain/index.ts";
import type { SyscallName, VmResources } from "#protocol/versions/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PrimitiveName } from "../resources.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** Event of a call; `order` numbers the events of the transaction phase. */
export interface OrderedEvent {
  readonly order: number;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** Message of a call to L1; `order` numbers the messages of the transaction phase. */
export interface OrderedMessage {
  readonly order: number;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** Number of calls of one syscall, and the sum of its linear factors (calldata felts, Keccak rounds). */
export interface SyscallUsage {
  calls: number;
  linear: number;
}

/** Executed call with its inner calls: a node of a trace. */
export interface CallInfo {
  readonly entryPointType: EntryPointType;
  readonly callType: "CALL" | "DELEGATE";
  /** Contract whose storage the call works on. */
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  /** Contract that provides the code of a deprecated delegate call; `null` otherwise. */
  readonly codeAddress: Felt | null;
  readonly entryPointSelector: Felt;
  readonly callerAddress: Felt;
  /**
   * Kept for inner calls only if a trace was requested, else empty. The same holds for `result`, except for
   * calls whose panic the caller passed on.
   */
  readonly calldata: Felts;
  readonly result: Felts;
  /** Whether the call ended in a panic, which its caller can handle. */
  readonly failed: boolean;
  readonly trackedResource: TrackedResource;
  readonly initialGas: bigint;
  readonly gasConsumed: bigint;
  /** Machine resources, including inner calls and the operating system's part of syscalls. */
  readonly vmResources: VmResources;
  /** Builtins and Blake2s instructions of this call only, without inner calls. */
  readonly primitiveCounters: Readonly<Partial<Record<PrimitiveName, number>>>;
  /** Syscalls of this call only, without inner calls. */
  readonly syscalls: ReadonlyMap<SyscallName, Readonly<SyscallUsage>>;
  readonly events: readonly OrderedEvent[];
  readonly messages: readonly OrderedMessage[];
  /** Values read from storage, in order. */
  readonly storageReadValues: readonly Felt[];
  readonly accessedStorageKeys: ReadonlySet<Felt>;
  readonly readClassHashValues: readonly Felt[];
  readonly accessedContractAddresses: ReadonlySet<Felt>;
  readonly readBlockHashValues: readonly Felt[];
  readonly accessedBlocks: ReadonlySet<number>;
  readonly innerCalls: readonly CallInfo[];
}

/**
 * CALL_TYPE of a trace (JSON-RPC specification). A call that runs another class's code in the caller's
 * context is a LIBRARY_CALL if it names the class. It is a DELEGATE if it names a contract with that class,
 * as Cairo 0 allowed.
 */
export function callTypeOf({
  callType,
  codeAddress,
}: Pick<CallInfo, "callType" | "codeAddress">): "CALL" | "LIBRARY_CALL" | "DELEGATE" {
  if (callType === "CALL") return "CALL";
  return codeAddress === null ? "LIBRARY_CALL" : "DELEGATE";
}

/** Visits a call and its inner calls, outermost first, in execution order. */
export function visitCalls(call: CallInfo, visit: (call: CallInfo) => void): void {
  visit(call);
  for (const inner of call.innerCalls) visitCalls(inner, visit);
}
