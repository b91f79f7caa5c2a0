import { type JsonObject, listOf, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { nodeStatus } from "../state/node-status.ts";
import { hrefOf } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { Badge } from "./basic.tsx";
import { Hash } from "./hash.tsx";
import { Table } from "./table.tsx";
import { Age } from "./time.tsx";

/** Block in a list. */
export interface BlockRow {
  readonly header: JsonObject;
  readonly transactions: number;
}

/** Returns the row of a block with its transactions or their hashes. */
export function rowOfBlock(block: JsonObject): BlockRow {
  return { header: block, transactions: listOf(block["transactions"]).length };
}

/** Blocks, newest first. */
export function BlockTable({ blocks }: { readonly blocks: readonly BlockRow[] }) {
  return (
    <div class="scroll">
      <Table heads={["Block", "Age", { num: "Transactions" }, "Status", "Hash"]}>
        {blocks.map((block) => (
          <Row key={textOf(block.header["block_hash"])} block={block} />
        ))}
      </Table>
    </div>
  );
}

function Row({ block: { header, transactions } }: { readonly block: BlockRow }) {
  const number = numberOf(header["block_number"]) ?? 0;
  const onL1 = numberOf(objectOf(useStore(nodeStatus)?.["l1"])["accepted"]) ?? -1;
  // Headers that the page keeps may be older than the acceptance.
  const status = number <= onL1 ? "ACCEPTED_ON_L1" : textOf(header["status"]);
  return (
    <tr>
      <td>
        <a href={hrefOf("block", String(number))}>{number.toLocaleString("en")}</a>
      </td>
      <td>
        <Age unixMs={(numberOf(header["timestamp"]) ?? 0) * 1_000} />
      </td>
      <td class="num">{transactions.toLocaleString("en")}</td>
      <td>
        <FinalityBadge status={status} />
      </td>
      <td>
        <Hash felt={textOf(header["block_hash"])} to="block" />
      </td>
    </tr>
  );
}

/** How final a block or transaction is. */
export function FinalityBadge({ status }: { readonly status: string }) {
  switch (status) {
    case "ACCEPTED_ON_L1":
      return <Badge tone="good">on L1</Badge>;
    case "ACCEPTED_ON_L2":
      return <Badge tone="good">accepted</Badge>;
    case "PRE_CONFIRMED":
      return <Badge tone="warn">pre-confirmed</Badge>;
    default:
      return <Badge tone="neutral">{status.toLowerCase().replaceAll("_", " ")}</Badge>;
  }
}
