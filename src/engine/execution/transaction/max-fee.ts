import type { AccountTransaction, ResourceBounds } from "#protocol/chain/index.ts";

const MAX_U128 = (1n << 128n) - 1n;

/** Maximum fee that bounds allow; the tip is added to the price of L2 gas. */
export function maxFeeOfBounds(bounds: ResourceBounds, tip: bigint): bigint {
  const { l1Gas, l2Gas, l1DataGas } = bounds;
  let fee = l1Gas.maxAmount * l1Gas.maxPricePerUnit;
  if (l1DataGas !== null) {
    fee += l2Gas.maxAmount * (l2Gas.maxPricePerUnit + tip);
    fee += l1DataGas.maxAmount * l1DataGas.maxPricePerUnit;
  }
  return fee < MAX_U128 ? fee : MAX_U128;
}

/** Whether the bounds or the maximum fee allow any fee; otherwise none is charged. */
export function enforcesFee(transaction: AccountTransaction): boolean {
  return transaction.version === 3
    ? maxFeeOfBounds(transaction.resourceBounds, transaction.tip) > 0n
    : transaction.maxFee > 0n;
}
