import {
  type BlockHeader,
  type HashedTransaction,
  type Receipt,
  type ResourceBounds,
  type Transaction,
} from "#protocol/chain/index.ts";
import {
  BUILT_IN_CONSTANTS,
  compareProtocolVersions,
  type GasVector,
  NEWEST_PROTOCOL_VERSION,
} from "#protocol/versions/index.ts";
import type { SyncRefusal } from "../ports.ts";
import { refusalOf } from "./refusal.ts";

/** First version whose receipts have L2 gas, and whose block hash covers its price. */
const L2_GAS_FROM = "0.13.4";

/**
 * Prefixes of revert reasons for which the fee covers the resources before the revert, while the receipt has
 * the gas after it: blockifier's `FeeCheckError`, 0.13.4 to 0.14.4.
 */
const SHORTAGES = ["Insufficient max ", "Insufficient fee token balance."];

type ChargedHeader = Pick<BlockHeader, "number" | "protocolVersion" | "gasPrices" | "l1DaMode">;

/**
 * Checks gas amounts of receipts that no hash covers against amounts that are covered. The fee is the price
 * of the gas, so L2 gas follows from the fee, the other gas amounts and the block's prices.
 *
 * Undecidable cases pass: messages from L1, which pay no fee on L2; transactions that paid no fee; and those
 * that {@link SHORTAGES} reverted. So do blocks before {@link L2_GAS_FROM}, and blocks of versions that only
 * the chain's configuration defines.
 *
 * @param receipts - one per transaction, in the same order
 */
export function checkCharges(
  header: ChargedHeader,
  transactions: readonly HashedTransaction[],
  receipts: readonly Receipt[],
): SyncRefusal | undefined {
  const { number, protocolVersion } = header;
  const isKnown = compareProtocolVersions(protocolVersion, NEWEST_PROTOCOL_VERSION) <= 0;
  if (!isKnown || compareProtocolVersions(protocolVersion, L2_GAS_FROM) < 0) return undefined;
  for (const [i, { transaction }] of transactions.entries()) {
    const receipt = receipts[i];
    if (receipt === undefined) continue;
    const difference =
      dataDifference(header, receipt) ?? l2Difference(header, transaction, receipt);
    if (difference === undefined) continue;
    const [name, expected, found] = difference;
    const field = `${name} of receipt ${i}`;
    return refusalOf(number, { check: "receipt", field, expected, found: String(found) });
  }
  return undefined;
}

type Difference = readonly [name: string, expected: string, found: bigint];

/**
 * Checks the gas for data availability: the mode decides which gas counts it, and it is part of the total.
 */
function dataDifference(
  { l1DaMode }: ChargedHeader,
  { gas, daGas }: Receipt,
): Difference | undefined {
  const isBlob = l1DaMode === "BLOB";
  const most: readonly (readonly [name: string, most: bigint, found: bigint])[] = [
    ["l1_gas", isBlob ? 0n : gas.l1Gas, daGas.l1Gas],
    ["l1_data_gas", isBlob ? gas.l1DataGas : 0n, daGas.l1DataGas],
    ["l2_gas", 0n, daGas.l2Gas],
  ];
  const wrong = most.find(([, limit, found]) => found > limit);
  if (wrong === undefined) return undefined;
  const [name, limit, found] = wrong;
  return [`data_availability.${name}`, `at most ${limit}`, found];
}

function l2Difference(
  header: ChargedHeader,
  transaction: Transaction,
  { actualFee, gas, status }: Receipt,
): Difference | undefined {
  const name = "total_gas_consumed.l2_gas";
  if (transaction.type === "L1_HANDLER" || transaction.type === "DEPLOY") return undefined;
  const bounds = transaction.version === 3 ? transaction.resourceBounds : undefined;
  if (bounds === undefined || bounds.l1DataGas === null) {
    // Without L1 data gas bounds, computation is charged as L1 gas.
    return gas.l2Gas === 0n ? undefined : [name, "0", gas.l2Gas];
  }
  if (actualFee === 0n) return undefined;
  const reason = status.kind === "reverted" ? status.reason : undefined;
  if (SHORTAGES.some((each) => reason?.startsWith(each))) return undefined;
  const feeOf = feesOf(header, transaction.version === 3 ? transaction.tip : 0n);
  if (feeOf(gas) === actualFee) return undefined;
  // A revert that exceeds its bounds pays for the gas that the bounds allow.
  if (reason !== undefined && feeOf(atMost(bounds, gas)) === actualFee) return undefined;
  const left = actualFee - feeOf({ ...gas, l2Gas: 0n });
  const price = feeOf({ l1Gas: 0n, l1DataGas: 0n, l2Gas: 1n });
  return [name, `${left / price}, which the fee pays for`, gas.l2Gas];
}

/** Returns a function that prices gas in FRI; the tip counts in protocol versions that support it. */
function feesOf(
  { protocolVersion, gasPrices }: ChargedHeader,
  tip: bigint,
): (gas: GasVector) => bigint {
  const { enableTip } = BUILT_IN_CONSTANTS.at(protocolVersion).flags;
  const { l1Gas, l1DataGas, l2Gas } = gasPrices;
  const l2Price = l2Gas.fri + (enableTip ? tip : 0n);
  return (gas) => gas.l1Gas * l1Gas.fri + gas.l1DataGas * l1DataGas.fri + gas.l2Gas * l2Price;
}

function atMost({ l1Gas, l1DataGas, l2Gas }: ResourceBounds, gas: GasVector): GasVector {
  const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  return {
    l1Gas: min(l1Gas.maxAmount, gas.l1Gas),
    l1DataGas: min(l1DataGas?.maxAmount ?? 0n, gas.l1DataGas),
    l2Gas: min(l2Gas.maxAmount, gas.l2Gas),
  };
}
