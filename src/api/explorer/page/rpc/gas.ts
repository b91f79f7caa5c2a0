import { type JsonObject, listOf, numberOf, objectOf } from "./json.ts";

/** Sums the L2 gas of a block with receipts. */
export function l2GasOf(block: JsonObject): number {
  return listOf(block["transactions"]).reduce<number>((sum, one) => {
    const { execution_resources } = objectOf(objectOf(one)["receipt"]);
    return sum + (numberOf(objectOf(execution_resources)["l2_gas"]) ?? 0);
  }, 0);
}
