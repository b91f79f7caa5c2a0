import type { EntryPointType } from "#protocol/chain/index.ts";
import type { SyscallName, VmResources } from "#protocol/versions/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { PrimitiveName } from "../resources.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** An event of a call; `order` counts the events of the transaction phase. */
export interface OrderedEvent {
  readonly order: number;
  readonly keys: readonly Felt[];
  readonly data: readonly Felt[];
}

/** A message of a call to L1; `order` counts the messages of the transaction phase. */
export interface OrderedMessage {
  readonly order: number;
  readonly toAddress: Felt;
  readonly payload: readonly Felt[];
}

/** How often a syscall was made, and the sum of its linear factors (calldata felts, Keccak rounds). */
export interface SyscallUsage {
  calls: number;
  linear: number;
}

/** One executed call with its inner calls: the node of a trace. */
export interface CallInfo {
  readonly entryPointType: EntryPointType;
  readonly callType: "CALL" | "DELEGATE";
  /** The contract whose storage the call works on. */
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  /** The contract whose code runs where it differs, in old delegate calls; `null` otherwise. */
  readonly codeAddress: Felt | null;
  readonly entryPointSelector: Felt;
  readonly callerAddress: Felt;
  /**
   * Of inner calls only where a trace was asked for, else empty; `result` too, but of those whose
   * panic the caller passed on.
   */
  readonly calldata: Felts;
  readonly result: Felts;
  /** The call ended in a panic that its caller can handle. */
  readonly failed: boolean;
  readonly trackedResource: TrackedResource;
  readonly initialGas: bigint;
  readonly gasConsumed: bigint;
  /** Machine resources with inner calls and the operating system's part of syscalls. */
  readonly vmResources: VmResources;
  /** Builtins and Blake2s instructions of this call's own run. */
  readonly primitiveCounters: Readonly<Partial<Record<PrimitiveName, number>>>;
  /** Syscalls of this call's own run. */
  readonly syscalls: ReadonlyMap<SyscallName, Readonly<SyscallUsage>>;
  readonly events: readonly OrderedEvent[];
  readonly messages: readonly OrderedMessage[];
  /** Values read from storage in order. */
  readonly storageReadValues: readonly Felt[];
  readonly accessedStorageKeys: ReadonlySet<Felt>;
  readonly readClassHashValues: readonly Felt[];
  readonly accessedContractAddresses: ReadonlySet<Felt>;
  readonly readBlockHashValues: readonly Felt[];
  readonly accessedBlocks: ReadonlySet<number>;
  readonly innerCalls: readonly CallInfo[];
}

/**
 * CALL_TYPE of a trace (JSON-RPC specification): a call of another class's code in the caller's place is
 * a LIBRARY_CALL where it names the class, and a DELEGATE where it names a contract that has the class,
 * as Cairo 0 could.
 */
export function callTypeOf({
  callType,
  codeAddress,
}: Pick<CallInfo, "callType" | "codeAddress">): "CALL" | "LIBRARY_CALL" | "DELEGATE" {
  if (callType === "CALL") return "CALL";
  return codeAddress === null ? "LIBRARY_CALL" : "DELEGATE";
}

/** Visits a call and its inner calls, outermost first, in the order they were made. */
export function visitCalls(call: CallInfo, visit: (call: CallInfo) => void): void {
  visit(call);
  for (const inner of call.innerCalls) visitCalls(inner, visit);
}
