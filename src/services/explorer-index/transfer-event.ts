import type { Felt } from "#base/primitives/index.ts";
import type { Event } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";

/** Transfer of an ERC-20 or ERC-721 token, as its event says. */
export type TokenTransfer = TransferParties &
  (
    | { readonly kind: "fungible"; readonly amount: bigint }
    | { readonly kind: "nft"; readonly tokenId: bigint }
  );

/** Token and holders of a transfer; a mint is from 0, a burn to 0. */
interface TransferParties {
  readonly token: Felt;
  readonly from: Felt;
  readonly to: Felt;
}

const TRANSFER = selectorFromName("Transfer");

/** Bound of each half of a `u256`. */
const HALF_BOUND = 1n << 128n;

/**
 * Reads a `Transfer` event; `undefined` if it is none.
 *
 * - Holders in the keys, amount in the data: a fungible token (OpenZeppelin for Cairo 1).
 * - Holders and token id in the keys, no data: an NFT (OpenZeppelin for Cairo 1).
 * - All in the data (Cairo 0): old fungible tokens and old NFTs emit the same; it counts as fungible.
 *
 * Amounts and ids are `u256`, low half first.
 */
export function tokenTransferOf({ fromAddress, keys, data }: Event): TokenTransfer | undefined {
  const [selector, ...indexed] = keys;
  if (selector !== TRANSFER) return undefined;
  const layout = `${indexed.length}+${data.length}`;
  const all = [...indexed, ...data];
  const [from, to, low, high] = all;
  if (from === undefined || to === undefined || low === undefined || high === undefined) {
    return undefined;
  }
  if (low >= HALF_BOUND || high >= HALF_BOUND) return undefined;
  const parties = { token: fromAddress, from, to };
  const value = low + (high << 128n);
  switch (layout) {
    case "4+0":
      return { ...parties, kind: "nft", tokenId: value };
    case "2+2":
    case "0+4":
      return { ...parties, kind: "fungible", amount: value };
    default:
      return undefined;
  }
}
