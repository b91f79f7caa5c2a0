import type { BlockHeader, Receipt, Transaction } from "#protocol/chain/index.ts";
import { compareProtocolVersions } from "#protocol/versions/index.ts";

/**
 * Changes a receipt to gas amounts of the protocol from 0.13.4 on, and their fee: L2 gas for
 * transactions with three bounds and for messages from L1, which pay nothing, L1 gas for others.
 */
export function chargedReceipt(
  receipt: Receipt,
  transaction: Transaction,
  {
    protocolVersion,
    gasPrices,
    l1DaMode,
  }: Pick<BlockHeader, "protocolVersion" | "gasPrices" | "l1DaMode">,
): Receipt {
  const { type, version } = transaction;
  const bounds = version === 3 ? transaction.resourceBounds : undefined;
  const isInL2Gas = type === "L1_HANDLER" || (bounds !== undefined && bounds.l1DataGas !== null);
  const { l1Gas, l1DataGas } = receipt.gas;
  const gas = { l1Gas, l1DataGas, l2Gas: isInL2Gas ? receipt.gas.l2Gas : 0n };
  const isTipped = compareProtocolVersions(protocolVersion, "0.14.0") >= 0;
  const tip = version === 3 && isTipped ? transaction.tip : 0n;
  const priced = (unit: "fri" | "wei"): bigint =>
    l1Gas * gasPrices.l1Gas[unit] +
    l1DataGas * gasPrices.l1DataGas[unit] +
    gas.l2Gas * (gasPrices.l2Gas[unit] + tip);
  const daGas = l1DaMode === "BLOB" ? { l1Gas: 0n, l1DataGas } : { l1Gas, l1DataGas: 0n };
  return {
    ...receipt,
    actualFee: type === "L1_HANDLER" ? 0n : priced(version === 3 ? "fri" : "wei"),
    gas,
    daGas: { ...daGas, l2Gas: 0n },
  };
}
