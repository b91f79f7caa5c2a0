import type { CoreContractLog } from "../types.ts";

/** Whether two endpoints report the same log at the same place. */
export function isSameLog(a: CoreContractLog, b: CoreContractLog): boolean {
  const isSamePlace =
    a.l1Block.number === b.l1Block.number &&
    a.l1Block.hash === b.l1Block.hash &&
    a.logIndex === b.logIndex &&
    a.transactionHash === b.transactionHash;
  return isSamePlace && isSameContent(a, b);
}

function isSameContent(a: CoreContractLog, b: CoreContractLog): boolean {
  if (a.kind === "state_update") {
    return (
      b.kind === "state_update" &&
      a.stateRoot === b.stateRoot &&
      a.blockNumber === b.blockNumber &&
      a.blockHash === b.blockHash
    );
  }
  return (
    b.kind === "message_to_l2" &&
    a.fromAddress === b.fromAddress &&
    a.toAddress === b.toAddress &&
    a.selector === b.selector &&
    a.nonce === b.nonce &&
    a.feeWei === b.feeWei &&
    a.payload.length === b.payload.length &&
    a.payload.every((value, index) => value === b.payload[index])
  );
}
