import {
  type StateChange,
  type StateChanges,
  stateChangesOf,
  type StorageChange,
} from "../decode/state-changes.ts";
import { type JsonObject, textOf } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { Empty } from "./basic.tsx";
import { Growing } from "./growing.tsx";
import { Hash, type LinkKind } from "./hash.tsx";
import { Table } from "./table.tsx";
import { FeltText } from "./value.tsx";

/** List of addresses and hashes with a new value: titles of both columns, and where they link to. */
interface List {
  readonly name: Exclude<keyof StateChanges, "storage">;
  readonly heads: readonly [string, string];
  readonly to: LinkKind;
  readonly valueTo?: LinkKind;
}

const LISTS: readonly List[] = [
  { name: "nonces", heads: ["Nonces", "nonce"], to: "contract" },
  {
    name: "deployed",
    heads: ["Deployed contracts", "class hash"],
    to: "contract",
    valueTo: "class",
  },
  { name: "replaced", heads: ["Replaced classes", "class hash"], to: "contract", valueTo: "class" },
  { name: "declared", heads: ["Declared classes", "compiled class hash"], to: "class" },
  { name: "migrated", heads: ["Migrated classes", "compiled class hash"], to: "class" },
];

/** State diff: storage with the values before, nonces, classes. */
export function StateDiff({
  diff,
  before,
}: {
  readonly diff: JsonObject;
  /** Block whose state the values before are read from; below 0 for none. */
  readonly before: number;
}) {
  const changes = stateChangesOf(diff);
  const lists = LISTS.filter(({ name }) => changes[name].length > 0);
  if (changes.storage.length === 0 && lists.length === 0)
    return <Empty>The state did not change.</Empty>;
  return (
    <>
      {changes.storage.length === 0 ? null : (
        <Growing of={changes.storage} what="storage changes">
          {(shown) => <Storage changes={shown} before={before} />}
        </Growing>
      )}
      {lists.map((list) => (
        <Growing key={list.name} of={changes[list.name]} what={list.heads[0].toLowerCase()}>
          {(shown) => <Pairs pairs={shown} of={list} />}
        </Growing>
      ))}
    </>
  );
}

function Pairs({
  pairs,
  of: { heads, to, valueTo },
}: {
  readonly pairs: readonly StateChange[];
  readonly of: List;
}) {
  return (
    <div class="scroll">
      <Table heads={heads}>
        {pairs.map(({ address, value }) => (
          <tr key={address}>
            <td>
              <Hash felt={address} to={to} />
            </td>
            <td>
              <Hash felt={value} {...(valueTo === undefined ? {} : { to: valueTo })} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

function Storage({
  changes,
  before,
}: {
  readonly changes: readonly StorageChange[];
  readonly before: number;
}) {
  const beforeHead = before < 0 ? "Before" : `After block ${before}`;
  const loaded = useLoad(`storage ${before} ${changes.map(({ key }) => key).join()}`, () =>
    valuesAt(changes, before),
  );
  const old = loaded.state === "ready" ? loaded.value : [];
  return (
    <div class="scroll">
      <Table heads={["Contract", "Storage key", beforeHead, "After"]}>
        {changes.map(({ contract, key, after }, i) => (
          <tr key={`${contract} ${key}`}>
            <td>
              <Hash felt={contract} to="contract" />
            </td>
            <td>
              <Hash felt={key} />
            </td>
            <td>{old[i] === undefined ? "…" : <FeltText felt={old[i] ?? ""} />}</td>
            <td>
              <FeltText felt={after} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

async function valuesAt(
  changes: readonly StorageChange[],
  block: number,
): Promise<readonly string[]> {
  if (block < 0) return changes.map(() => "0x0");
  const results = await rpc.batch(
    changes.map(({ contract, key }) => ({
      method: "starknet_getStorageAt",
      params: { block_id: { block_number: block }, contract_address: contract, key },
    })),
  );
  // A contract that did not exist yet has no storage.
  return results.map((one) => (one instanceof PageError ? "0x0" : textOf(one)));
}
