import type { TokenInfo } from "../state/tokens.ts";
import type { Transfer } from "../decode/transfers.ts";
import { useLoad } from "../state/load.ts";
import { tokenInfo } from "../state/tokens.ts";
import { decimalText } from "../decode/amounts.ts";
import { Hash } from "./hash.tsx";
import { visibleText } from "../decode/visible-text.ts";
import { Age } from "./time.tsx";
import { Table } from "./table.tsx";

/** What is shown of a token until its contract has said more. */
const UNKNOWN: TokenInfo = { symbol: "", decimals: 0, isToken: false, isNft: false };

/** Transfer in a list of several transactions. */
export interface ListedTransfer extends Transfer {
  /** Transaction, and the time of its block. */
  readonly in?: { readonly hash: string; readonly unixMs: number };
}

const HEADS = ["From", "To", { num: "Amount or token id" }, "Token"];

/** Transfers of tokens in the given order; with their transactions if they are known. */
export function TransferTable({ transfers }: { readonly transfers: readonly ListedTransfer[] }) {
  const isListed = transfers.some((transfer) => transfer.in !== undefined);
  return (
    <div class="scroll">
      <Table heads={isListed ? ["Transaction", "Age", ...HEADS] : HEADS}>
        {transfers.map((transfer, i) => (
          <Row key={i} transfer={transfer} />
        ))}
      </Table>
    </div>
  );
}

function Row({ transfer }: { readonly transfer: ListedTransfer }) {
  const { from, to, token, value, isNft, in: place } = transfer;
  const info = useLoad(`token ${token}`, () => tokenInfo(token));
  const { symbol, decimals, isNft: isNftToken } = info.state === "ready" ? info.value : UNKNOWN;
  return (
    <tr>
      {place === undefined ? null : (
        <>
          <td>
            <Hash felt={place.hash} to="tx" />
          </td>
          <td>
            <Age unixMs={place.unixMs} />
          </td>
        </>
      )}
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
