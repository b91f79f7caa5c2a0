import { Hash } from "../../parts/hash.tsx";
import { IndexList } from "../../parts/index-list.tsx";
import { numberOf, objectOf, textOf } from "../../rpc/json.ts";
import { hrefOf } from "../../state/route.ts";
import { Table } from "../../parts/table.tsx";

/** Declared classes, newest first. */
export function ClassesView() {
  return (
    <>
      <div class="title">
        <h1>Classes</h1>
      </div>
      <IndexList path="declared" query={{}} what="classes">
        {(items) => (
          <div class="scroll">
            <Table heads={["Class", "Block", "Declared by", "Transaction"]}>
              {items.map((item) => {
                const { class_hash, block_number, sender, hash } = objectOf(item);
                return (
                  <tr key={textOf(class_hash)}>
                    <td>
                      <Hash felt={textOf(class_hash)} to="class" />
                    </td>
                    <td>
                      <a href={hrefOf("block", String(numberOf(block_number)))}>
                        {numberOf(block_number)}
                      </a>
                    </td>
                    <td>
                      {textOf(sender) === "" ? (
                        "genesis"
                      ) : (
                        <Hash felt={textOf(sender)} to="contract" />
                      )}
                    </td>
                    <td>{textOf(hash) === "" ? "" : <Hash felt={textOf(hash)} to="tx" />}</td>
                  </tr>
                );
              })}
            </Table>
          </div>
        )}
      </IndexList>
    </>
  );
}
