import { feltsOf, feltText, isFelt } from "../abi/felt.ts";
import { listIn, objectIn } from "../abi/read-entry.ts";
import { selectorOf } from "../abi/selector.ts";

/** Transfer of a token, from an event. */
export interface Transfer {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  /** Amount of a fungible token in its smallest unit, or the id of one that is not. */
  readonly value: bigint;
  readonly isNft: boolean;
}

const LIMB = 1n << 128n;

let transfer: string | undefined;

/**
 * Returns the transfers of a receipt. New contracts have the addresses in the keys, and ERC-721 the token's id too; old
 * ones have everything in the data, where the events of both standards are equal: those are taken for ERC-20.
 */
export function transfersOf(receipt: unknown): readonly Transfer[] {
  transfer ??= selectorOf("Transfer");
  return listIn(objectIn(receipt)["events"]).flatMap((one): Transfer[] => {
    const event = objectIn(one);
    const [first, ...keys] = feltsOf(event["keys"]);
    if (first !== transfer) return [];
    const [from, to, low, high, ...rest] = [...keys, ...feltsOf(event["data"])];
    if (from === undefined || to === undefined || low === undefined || rest.length > 0) return [];
    const limbs = [BigInt(low), isFelt(high) ? BigInt(high) : 0n] as const;
    if (high !== undefined && limbs.some((limb) => limb >= LIMB)) return [];
    const value = limbs[0] + limbs[1] * LIMB;
    return [{ token: feltText(event["from_address"]), from, to, value, isNft: keys.length === 4 }];
  });
}
