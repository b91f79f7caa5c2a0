import type { Felt } from "#base/primitives/index.ts";
import type { ChainReader, StateReader } from "#engine/state/index.ts";
import { NO_TRIES } from "./fake-chain.ts";

/** A state with storage only, for tests of overlays. */
export function storageState(cells: ReadonlyMap<string, Felt>): StateReader {
  return {
    storageAt: (address, key) => cells.get(`${address}/${key}`) ?? 0n,
    nonceAt: () => 0n,
    classHashAt: () => 0n,
    compiledClassHashOf: () => 0n,
    executableClass: () => undefined,
  };
}

/** An accepted chain with only its newest number and a state per block. */
export function numberedChain(
  latest: number,
  stateAt: (block: number) => StateReader,
): ChainReader {
  return {
    snapshot: (read) => read(),
    latestNumber: () => (latest < 0 ? undefined : latest),
    oldestBlock: () => 0,
    l1AcceptedNumber: () => undefined,
    header: () => undefined,
    ancestorHeader: () => undefined,
    numberByHash: () => undefined,
    signature: () => undefined,
    transactions: () => [],
    transactionHashes: () => [],
    receipts: () => [],
    locate: () => undefined,
    transactionAt: () => undefined,
    receiptAt: () => undefined,
    portionAt: () => undefined,
    stateDiff: () => undefined,
    nextEventBlock: () => undefined,
    lastStorageUpdate: () => undefined,
    messagesOfL1Transaction: () => [],
    consumedL1Message: () => undefined,
    declaredClass: () => undefined,
    stateAt,
    oldestStateBlock: () => 0,
    trieAt: () => NO_TRIES,
    oldestTrieBlock: () => 0,
  };
}
