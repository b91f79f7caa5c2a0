import { decodeLog } from "../contract/decode-log.ts";
import { addressHex, type RpcEndpoint } from "../endpoint/rpc-endpoint.ts";
import { members } from "../endpoint/values.ts";
import type { CoreContractLog, L1Address } from "../types.ts";
import { isSameLog } from "./same-log.ts";

/** Maximum number of logs that are checked through receipts. */
const MAX_ASKED = 16;

/** Returns logs of the first list that the second one lacks. */
export function missingLogs(
  logs: readonly CoreContractLog[],
  others: readonly CoreContractLog[],
): readonly CoreContractLog[] {
  const places = new Map(others.map((log) => [placeOf(log), log]));
  return logs.filter((log) => {
    const other = places.get(placeOf(log));
    return other === undefined || !isSameLog(log, other);
  });
}

/**
 * Whether an endpoint that omitted logs has them in the receipts of their transactions. Then only its log
 * index is incomplete, and it confirms the other endpoint's logs.
 *
 * @throws {EndpointFault} when it does not respond
 */
export async function hasInReceipts(
  endpoint: RpcEndpoint,
  coreContractAddress: L1Address,
  logs: readonly CoreContractLog[],
): Promise<boolean> {
  if (logs.length === 0 || logs.length > MAX_ASKED) return false;
  const address = addressHex(coreContractAddress);
  for (const log of logs) {
    const { transactionHash, logIndex } = log;
    const all = (await endpoint.receiptLogs(transactionHash)).map((raw) => members(raw, "a log"));
    const raw = all.find((each) => Number(each["logIndex"]) === logIndex);
    if (raw === undefined || String(raw["address"]).toLowerCase() !== address) return false;
    if (!isSameLog(await decodeLog(raw), log)) return false;
  }
  return true;
}

function placeOf({ l1Block, logIndex }: CoreContractLog): string {
  return `${l1Block.number} ${logIndex}`;
}
