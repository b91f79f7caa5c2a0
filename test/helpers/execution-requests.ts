import { encodeContractClass, encodedTransaction, type StateDiff } from "#protocol/chain/index.ts";
import type { ExecutionRequest } from "#services/sync/index.ts";
import type { DeclareWorld } from "./declare-world.ts";

/** A stored block as received by a full node, optionally changed. */
export function executionRequest(
  { chain }: Pick<DeclareWorld, "chain">,
  number: number,
  changed: Partial<ExecutionRequest["block"]> = {},
): ExecutionRequest {
  const header = chain.header(number);
  const stateDiff = chain.stateDiff(number);
  const signature = chain.signature(number);
  if (header === undefined || stateDiff === undefined || signature === undefined) {
    throw new TypeError(`there is no block ${number}`);
  }
  const transactions = chain.transactions(number).map((each) => encodedTransaction(each));
  const declared = [...stateDiff.declaredClasses.keys()].map((classHash) => {
    const found = chain.declaredClass(classHash);
    if (found === undefined) throw new TypeError("a declared class is not stored");
    const contractClass = encodeContractClass(found.contractClass);
    return { classHash, contractClass, casmJson: chain.casm(classHash)?.casmJson ?? null };
  });
  const block = {
    header,
    transactions,
    receipts: chain.receipts(number),
    stateDiff,
    signature,
    ...changed,
  };
  return { block, classes: declared, stateBefore: chain.stateAt(number - 1) };
}

/** A state diff with an additional storage change. */
export function minted(diff: StateDiff, address: bigint, key: bigint): StateDiff {
  const own = new Map(diff.storageDiffs.get(address)).set(key, 10n ** 30n);
  return { ...diff, storageDiffs: new Map(diff.storageDiffs).set(address, own) };
}
