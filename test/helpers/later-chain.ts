import type { ChainReader } from "#engine/state/index.ts";

/** A chain that starts from a snapshot: of blocks before `oldest` it has only the headers. */
export function laterChain(whole: ChainReader, oldest: number): ChainReader {
  const shown = <T>(number: number, read: (number: number) => T): T | undefined =>
    number < oldest ? undefined : read(number);
  return {
    ...whole,
    oldestBlock: () => oldest,
    oldestStateBlock: () => Math.max(oldest, whole.oldestStateBlock()),
    oldestTrieBlock: () => Math.max(oldest, whole.oldestTrieBlock()),
    header: (number) => shown(number, whole.header),
    stateDiff: (number) => shown(number, whole.stateDiff),
    signature: (number) => shown(number, whole.signature),
    transactions: (number) => shown(number, whole.transactions) ?? [],
    transactionHashes: (number) => shown(number, whole.transactionHashes) ?? [],
    receipts: (number) => shown(number, whole.receipts) ?? [],
    numberByHash(hash) {
      const number = whole.numberByHash(hash);
      return number === undefined ? undefined : shown(number, () => number);
    },
    locate(hash) {
      const location = whole.locate(hash);
      return location && shown(location.blockNumber, () => location);
    },
  };
}
