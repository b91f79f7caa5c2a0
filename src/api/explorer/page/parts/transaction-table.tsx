import { type Json, type JsonObject, listOf, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { hrefOf } from "../state/route.ts";
import { feeText } from "../decode/amounts.ts";
import { Badge } from "./basic.tsx";
import { Growing } from "./growing.tsx";
import { Hash } from "./hash.tsx";
import { Age } from "./time.tsx";
import { Table } from "./table.tsx";

/** Transaction in a list. */
export interface TransactionRow {
  readonly hash: string;
  readonly blockNumber: number | null;
  readonly type: string;
  /** Sender, or the contract of an L1 handler. */
  readonly sender: string;
  readonly isReverted: boolean;
  readonly unixMs: number;
  readonly fee: string;
}

/** Returns the transactions of blocks with receipts, newest first. */
export function rowsOfBlocks(blocks: readonly JsonObject[]): readonly TransactionRow[] {
  return blocks.flatMap((block) =>
    listOf(block["transactions"])
      .map((one) => rowOf(objectOf(one), block))
      .toReversed(),
  );
}

/** Returns one transaction of a block with receipts. */
export function rowOf({ transaction, receipt }: JsonObject, block: JsonObject): TransactionRow {
  const sent = objectOf(transaction);
  const received = objectOf(receipt);
  const fee = objectOf(received["actual_fee"]);
  return {
    hash: textOf(received["transaction_hash"]),
    blockNumber: numberOf(block["block_number"]),
    type: textOf(sent["type"]),
    sender: senderOf(sent, received),
    isReverted: received["execution_status"] === "REVERTED",
    unixMs: (numberOf(block["timestamp"]) ?? 0) * 1_000,
    fee: feeText(textOf(fee["amount"]), textOf(fee["unit"])),
  };
}

/** Returns the transactions of a list of `api/…`. */
export function rowOfIndex(item: Json): TransactionRow {
  const one = objectOf(item);
  const fee = objectOf(one["fee"]);
  return {
    hash: textOf(one["hash"]),
    blockNumber: numberOf(one["block_number"]),
    type: textOf(one["type"]),
    sender: textOf(one["sender"]) || textOf(one["contract"]),
    isReverted: one["status"] === "REVERTED",
    unixMs: numberOf(one["unix_ms"]) ?? 0,
    fee: feeText(textOf(fee["amount"]), textOf(fee["unit"])),
  };
}

/** Returns the account that sent a transaction, or the contract of an L1 handler. */
export function senderOf(transaction: JsonObject, receipt: JsonObject): string {
  const { sender_address, contract_address } = transaction;
  return textOf(sender_address) || textOf(receipt["contract_address"]) || textOf(contract_address);
}

/** Transactions in the given order. */
export function TransactionTable({ rows }: { readonly rows: readonly TransactionRow[] }) {
  return (
    <Growing of={rows} what="transactions">
      {(shown) => (
        <div class="scroll">
          <Table
            heads={["Transaction", "Status", "Type", "Block", "Age", "Sender", { num: "Fee" }]}
          >
            {shown.map((row) => (
              <Row key={row.hash} row={row} />
            ))}
          </Table>
        </div>
      )}
    </Growing>
  );
}

function Row({ row }: { readonly row: TransactionRow }) {
  const { hash, blockNumber, type, sender, isReverted, unixMs, fee } = row;
  return (
    <tr>
      <td>
        <Hash felt={hash} to="tx" />
      </td>
      <td>
        <OutcomeBadge isReverted={isReverted} />
      </td>
      <td>{typeText(type)}</td>
      <td>
        {blockNumber === null ? (
          "open"
        ) : (
          <a href={hrefOf("block", String(blockNumber))}>{blockNumber.toLocaleString("en")}</a>
        )}
      </td>
      <td>
        <Age unixMs={unixMs} />
      </td>
      <td>
        <Hash felt={sender} to="contract" />
      </td>
      <td class="num">{fee}</td>
    </tr>
  );
}

/** Whether a transaction succeeded. */
export function OutcomeBadge({ isReverted }: { readonly isReverted: boolean }) {
  return isReverted ? <Badge tone="bad">reverted</Badge> : <Badge tone="good">succeeded</Badge>;
}

/** Returns the type of a transaction in words: `deploy account`. */
export function typeText(type: string): string {
  return type === "L1_HANDLER" ? "L1 handler" : type.toLowerCase().replaceAll("_", " ");
}
