import { type Json, objectOf, textOf } from "../rpc/json.ts";
import type { Transfer } from "../decode/transfers.ts";
import { IndexList } from "./index-list.tsx";
import { TransferTable } from "./transfer-table.tsx";

/** Transfers from and to an address, of all tokens. */
export function IndexTransfers({ holder }: { readonly holder: string }) {
  return (
    <IndexList path="transfers" query={{ holder }} what="transfers">
      {(items) => <TransferTable transfers={items.map((item) => transferOf(item))} />}
    </IndexList>
  );
}

function transferOf(item: Json): Transfer {
  const { token, from, to, kind, amount, token_id } = objectOf(item);
  const isNft = kind === "nft";
  const value = textOf(isNft ? token_id : amount);
  return {
    token: textOf(token),
    from: textOf(from),
    to: textOf(to),
    value: /^(0x[0-9a-fA-F]+|[0-9]+)$/.test(value) ? BigInt(value) : 0n,
    isNft,
  };
}
