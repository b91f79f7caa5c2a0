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
  /** Whether the event itself says so: the token's id is in its keys. */
  readonly isNft: boolean;
}

const LIMB = 1n << 128n;

let transfer: string | undefined;

/**
 * Returns the transfers of a receipt. New contracts have the addresses in the keys, and ERC-721 the token's id too. Old
 * ones, and some ERC-721, have the value in the data, where the events of both standards are equal: only the token
 * itself says which one it is.
 */
export function transfersOf(receipt: unknown): readonly Transfer[] {
  transfer ??= selectorOf("Transfer");
  return listIn(objectIn(receipt)["events"]).flatMap((one): Transfer[] => {
    const event = objectIn(one);
    const [first, ...keys] = feltsOf(event["keys"]);
    if (first !== transfer) return [];
    const data = feltsOf(event["data"]);
    const [from, to, low, high, ...rest] = [...keys, ...data];
    if (from === undefined || to === undefined || low === undefined || rest.length > 0) return [];
    const limbs = [BigInt(low), isFelt(high) ? BigInt(high) : 0n] as const;
    if (high !== undefined && limbs.some((limb) => limb >= LIMB)) return [];
    const value = limbs[0] + limbs[1] * LIMB;
    return [{ token: feltText(event["from_address"]), from, to, value, isNft: data.length === 0 }];
  });
}
