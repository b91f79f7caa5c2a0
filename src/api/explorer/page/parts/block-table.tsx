import { type JsonObject, listOf, numberOf, textOf } from "../rpc/json.ts";
import { hrefOf } from "../state/route.ts";
import { Badge } from "./basic.tsx";
import { Hash } from "./hash.tsx";
import { Age } from "./time.tsx";
import { Table } from "./table.tsx";

/** Blocks, newest first. */
export function BlockTable({ blocks }: { readonly blocks: readonly JsonObject[] }) {
  return (
    <div class="scroll">
      <Table heads={["Block", "Age", { num: "Transactions" }, "Status", "Hash"]}>
        {blocks.map((block) => (
          <BlockRow key={textOf(block["block_hash"])} block={block} />
        ))}
      </Table>
    </div>
  );
}

function BlockRow({ block }: { readonly block: JsonObject }) {
  const number = numberOf(block["block_number"]) ?? 0;
  return (
    <tr>
      <td>
        <a href={hrefOf("block", String(number))}>{number.toLocaleString("en")}</a>
      </td>
      <td>
        <Age unixMs={(numberOf(block["timestamp"]) ?? 0) * 1_000} />
      </td>
      <td class="num">{listOf(block["transactions"]).length}</td>
      <td>
        <FinalityBadge status={textOf(block["status"])} />
      </td>
      <td>
        <Hash felt={textOf(block["block_hash"])} to="block" />
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
