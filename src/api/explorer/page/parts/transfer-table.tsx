import type { TokenInfo } from "../state/tokens.ts";
import type { Transfer } from "../decode/transfers.ts";
import { useLoad } from "../state/load.ts";
import { tokenInfo } from "../state/tokens.ts";
import { decimalText } from "../decode/amounts.ts";
import { Hash } from "./hash.tsx";
import { visibleText } from "../decode/visible-text.ts";
import { Table } from "./table.tsx";

/** What is shown of a token until its contract has said more. */
const UNKNOWN: TokenInfo = { symbol: "", decimals: 0, isNft: false };

/** Transfers of tokens in the given order. */
export function TransferTable({ transfers }: { readonly transfers: readonly Transfer[] }) {
  return (
    <div class="scroll">
      <Table heads={["From", "To", { num: "Amount or token id" }, "Token"]}>
        {transfers.map((transfer, i) => (
          <Row key={i} transfer={transfer} />
        ))}
      </Table>
    </div>
  );
}

function Row({ transfer: { from, to, token, value, isNft } }: { readonly transfer: Transfer }) {
  const info = useLoad(`token ${token}`, () => tokenInfo(token));
  const { symbol, decimals, isNft: isNftToken } = info.state === "ready" ? info.value : UNKNOWN;
  return (
    <tr>
      <td>
        <Hash felt={from} to="contract" />
      </td>
      <td>
        <Hash felt={to} to="contract" />
      </td>
      <td class="num">
        {isNft || isNftToken ? `token id ${value}` : decimalText(value, decimals, 18)}
      </td>
      <td>
        {visibleText(symbol)} <Hash felt={token} to="contract" />
      </td>
    </tr>
  );
}
