import type { EntryPointType } from "#protocol/chain/index.ts";
import type { SyscallName, VmResources } from "#protocol/versions/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { NO_RESOURCES, type PrimitiveName } from "../resources.ts";
import type { CallInfo, OrderedEvent, OrderedMessage, SyscallUsage } from "./info.ts";
import type { CallRequest } from "./request.ts";
import type { TrackedResource } from "./tracked-resource.ts";

const NO_FELTS: readonly Felt[] = [];

const NO_FELT_SET: ReadonlySet<Felt> = new Set();

const NO_BLOCKS: ReadonlySet<number> = new Set();

/** {@link CallInfo} under construction. Members that most calls don't need start as shared empty values. */
export class CallRecord implements CallInfo {
  readonly entryPointType: EntryPointType;
  readonly callType: CallInfo["callType"];
  readonly contractAddress: Felt;
  readonly classHash: Felt;
  readonly codeAddress: Felt | null;
  readonly entryPointSelector: Felt;
  readonly callerAddress: Felt;
  calldata: Felts;
  readonly trackedResource: TrackedResource;
  readonly initialGas: bigint;
  result: Felts = NO_FELTS;
  failed = false;
  gasConsumed = 0n;
  vmResources: VmResources = NO_RESOURCES;
  primitiveCounters: Partial<Record<PrimitiveName, number>> = {};
  readonly syscalls = new Map<SyscallName, SyscallUsage>();
  readonly events: OrderedEvent[] = [];
  readonly messages: OrderedMessage[] = [];
  readonly storageReadValues: Felt[] = [];
  readonly accessedStorageKeys = new Set<Felt>();
  readClassHashValues: readonly Felt[] = NO_FELTS;
  accessedContractAddresses: ReadonlySet<Felt> = NO_FELT_SET;
  readBlockHashValues: readonly Felt[] = NO_FELTS;
  accessedBlocks: ReadonlySet<number> = NO_BLOCKS;
  readonly innerCalls: CallRecord[] = [];
  /** Bytes counted for events and messages. */
  emittedBytes = 0;

  constructor(
    request: CallRequest,
    classHash: Felt,
    trackedResource: TrackedResource,
    initialGas: number,
  ) {
    this.entryPointType = request.entryPointType;
    this.callType = request.callType;
    this.contractAddress = request.contractAddress;
    this.classHash = classHash;
    this.codeAddress = request.codeAddress;
    this.entryPointSelector = request.selector;
    this.callerAddress = request.callerAddress;
    this.calldata = request.calldata;
    this.trackedResource = trackedResource;
    this.initialGas = BigInt(initialGas);
  }

  addClassHashRead(address: Felt, classHash: Felt): void {
    if (this.readClassHashValues === NO_FELTS) {
      this.readClassHashValues = [];
      this.accessedContractAddresses = new Set();
    }
    // Both collections belong to this record from here on.
    (this.readClassHashValues as Felt[]).push(classHash);
    (this.accessedContractAddresses as Set<Felt>).add(address);
  }

  addBlockHashRead(blockNumber: number, hash: Felt): void {
    if (this.readBlockHashValues === NO_FELTS) {
      this.readBlockHashValues = [];
      this.accessedBlocks = new Set();
    }
    (this.readBlockHashValues as Felt[]).push(hash);
    (this.accessedBlocks as Set<number>).add(blockNumber);
  }

  count(name: SyscallName, calls: number, linear: number): void {
    const usage = this.syscalls.get(name);
    if (usage === undefined) this.syscalls.set(name, { calls, linear });
    else {
      usage.calls += calls;
      usage.linear += linear;
    }
  }

  /**
   * Drops the events and messages of a failed call and of its successful inner calls.
   *
   * @returns the bytes that were counted for them
   */
  dropEmissions(): number {
    let bytes = this.emittedBytes;
    this.emittedBytes = 0;
    this.events.length = 0;
    this.messages.length = 0;
    for (const inner of this.innerCalls) if (!inner.failed) bytes += inner.dropEmissions();
    return bytes;
  }
}
