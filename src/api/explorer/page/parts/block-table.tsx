import { type JsonObject, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { nodeStatus } from "../state/node-status.ts";
import { hrefOf } from "../state/route.ts";
import { useStore } from "../state/store.ts";
import { Badge } from "./basic.tsx";
import { Hash } from "./hash.tsx";
import { Table } from "./table.tsx";
import { Age } from "./time.tsx";

/** Blocks of `api/blocks`, newest first. */
export function BlockTable({ blocks }: { readonly blocks: readonly JsonObject[] }) {
  return (
    <div class="scroll">
      <Table heads={["Block", "Age", { num: "Transactions" }, "Status", "Hash"]}>
        {blocks.map((block) => (
          <Row key={textOf(block["block_hash"])} block={block} />
        ))}
      </Table>
    </div>
  );
}

function Row({ block }: { readonly block: JsonObject }) {
  const number = numberOf(block["block_number"]) ?? 0;
  const onL1 = numberOf(objectOf(useStore(nodeStatus)?.["l1"])["accepted"]) ?? -1;
  // Blocks that the page keeps may be older than the acceptance.
  const status = number <= onL1 ? "ACCEPTED_ON_L1" : textOf(block["status"]);
  return (
    <tr>
      <td>
        <a href={hrefOf("block", String(number))}>{number.toLocaleString("en")}</a>
      </td>
      <td>
        <Age unixMs={numberOf(block["unix_ms"]) ?? 0} />
      </td>
      <td class="num">{(numberOf(block["transaction_count"]) ?? 0).toLocaleString("en")}</td>
      <td>
        <FinalityBadge status={status} />
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
