import { visibleText } from "../decode/visible-text.ts";
import { type Json, numberOf, objectOf, textOf } from "../rpc/json.ts";
import { Card } from "./basic.tsx";
import { Hash } from "./hash.tsx";
import { Table } from "./table.tsx";
import { Age } from "./time.tsx";

/** Blocks that a full node refused; nothing if there are none. */
export function RefusedBlocks({ blocks }: { readonly blocks: readonly Json[] }) {
  if (blocks.length === 0) return null;
  return (
    <Card title="Refused blocks">
      <div class="scroll">
        <Table heads={[{ num: "Block" }, "Hash", "From", "When", { num: "Times" }, "Why"]}>
          {blocks.map((block) => {
            const { block_number, block_hash, source, reason, count, unix_ms } = objectOf(block);
            const hash = textOf(block_hash);
            return (
              <tr>
                <td class="num">{numberOf(block_number)?.toLocaleString("en") ?? "any"}</td>
                <td>{hash === "" ? null : <Hash felt={hash} />}</td>
                <td>{visibleText(textOf(source))}</td>
                <td>
                  <Age unixMs={numberOf(unix_ms) ?? 0} />
                </td>
                <td class="num">{(numberOf(count) ?? 1).toLocaleString("en")}</td>
                <td>{visibleText(textOf(reason))}</td>
              </tr>
            );
          })}
        </Table>
      </div>
    </Card>
  );
}
