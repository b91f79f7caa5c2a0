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

/** The first version whose receipts have L2 gas, and whose block hash covers its price. */
const L2_GAS_FROM = "0.13.4";

/**
 * Reasons of reverts whose fee is of what was used before the revert, while the receipt has the gas after
 * it: blockifier's `FeeCheckError`, 0.13.4 to 0.14.4.
 */
const SHORTAGES = ["Insufficient max ", "Insufficient fee token balance."];

type ChargedHeader = Pick<BlockHeader, "number" | "protocolVersion" | "gasPrices" | "l1DaMode">;

/**
 * Checks amounts of gas in receipts that no hash covers against those that one covers. The fee is the price
 * of the gas, so that L2 gas follows from the fee, from the rest of the gas and from the block's prices.
 *
 * What cannot be decided passes: messages from L1, which pay no fee on L2; transactions that paid none; and
 * those that {@link SHORTAGES} reverted. So do blocks before {@link L2_GAS_FROM}, and those of versions that
 * only the chain's configuration knows.
 *
 * @param receipts - one for each transaction, in its place
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

/** Where data is available decides which gas it is counted in; it is part of all gas. */
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
    // Computation is counted in L1 gas.
    return gas.l2Gas === 0n ? undefined : [name, "0", gas.l2Gas];
  }
  if (actualFee === 0n) return undefined;
  const reason = status.kind === "reverted" ? status.reason : undefined;
  if (SHORTAGES.some((each) => reason?.startsWith(each))) return undefined;
  const feeOf = feesOf(header, transaction.version === 3 ? transaction.tip : 0n);
  if (feeOf(gas) === actualFee) return undefined;
  // A revert that costs more than its bounds allow pays what they allow.
  if (reason !== undefined && feeOf(atMost(bounds, gas)) === actualFee) return undefined;
  const left = actualFee - feeOf({ ...gas, l2Gas: 0n });
  const price = feeOf({ l1Gas: 0n, l1DataGas: 0n, l2Gas: 1n });
  return [name, `${left / price}, which the fee pays for`, gas.l2Gas];
}

/** Prices gas in FRI; the tip counts where the protocol version counts it. */
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
