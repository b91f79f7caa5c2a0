import { type Json, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { IndexList } from "./index-list.tsx";
import { type ListedTransfer, TransferTable } from "./transfer-table.tsx";

/** Transfers of all tokens from and to a holder, or all transfers of a token. */
export function IndexTransfers({
  of,
}: {
  readonly of: { readonly holder: string } | { readonly token: string };
}) {
  return (
    <IndexList path="transfers" query={{ ...of }} what="transfers">
      {(items) => <TransferTable transfers={items.map((item) => transferOf(item))} />}
    </IndexList>
  );
}

function transferOf(item: Json): ListedTransfer {
  const { token, from, to, kind, amount, token_id, hash, unix_ms } = objectOf(item);
  const isNft = kind === "nft";
  const value = textOf(isNft ? token_id : amount);
  return {
    token: textOf(token),
    from: textOf(from),
    to: textOf(to),
    value: /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value) ? BigInt(value) : 0n,
    isNft,
    in: { hash: textOf(hash), unixMs: numberOf(unix_ms) ?? 0 },
  };
}
