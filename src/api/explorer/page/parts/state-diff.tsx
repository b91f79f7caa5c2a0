import { type Json, type JsonObject, listOf, objectOf, textOf } from "../rpc/json.ts";
import { PageError } from "../rpc/page-error.ts";
import { rpc } from "../state/chain.ts";
import { useLoad } from "../state/load.ts";
import { Empty } from "./basic.tsx";
import { Hash, type LinkKind } from "./hash.tsx";
import { FeltText } from "./value.tsx";

/** Most entries of a list that are shown. */
const SHOWN = 300;

/** State diff: storage with the values before, nonces, classes. */
export function StateDiff({
  diff,
  before,
}: {
  readonly diff: JsonObject;
  /** Block whose state the values before are read from; below 0 for none. */
  readonly before: number;
}) {
  const storage = listOf(diff["storage_diffs"]).flatMap(entriesOf).slice(0, SHOWN);
  const lists: readonly (readonly [
    title: string,
    name: string,
    key: string,
    value: string,
    to: LinkKind | undefined,
  ])[] = [
    ["Nonces", "nonces", "contract_address", "nonce", undefined],
    ["Deployed contracts", "deployed_contracts", "address", "class_hash", "class"],
    ["Replaced classes", "replaced_classes", "contract_address", "class_hash", "class"],
    ["Declared classes", "declared_classes", "class_hash", "compiled_class_hash", undefined],
  ];
  const shown = lists.filter(([, name]) => listOf(diff[name]).length > 0);
  if (storage.length === 0 && shown.length === 0) return <Empty>The state did not change.</Empty>;
  return (
    <>
      {storage.length === 0 ? null : <Storage entries={storage} before={before} />}
      {shown.map(([title, name, key, value, to]) => (
        <div key={name} class="scroll">
          <table>
            <thead>
              <tr>
                <th>{title}</th>
                <th>{value.replaceAll("_", " ")}</th>
              </tr>
            </thead>
            <tbody>
              {listOf(diff[name])
                .slice(0, SHOWN)
                .map((one, i) => (
                  <tr key={i}>
                    <td>
                      <Hash
                        felt={textOf(objectOf(one)[key])}
                        to={key === "class_hash" ? "class" : "contract"}
                      />
                    </td>
                    <td>
                      <Hash
                        felt={textOf(objectOf(one)[value])}
                        {...(to === undefined ? {} : { to })}
                      />
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      ))}
    </>
  );
}

interface Entry {
  readonly address: string;
  readonly key: string;
  readonly value: string;
}

function entriesOf(one: Json): readonly Entry[] {
  const { address, storage_entries } = objectOf(one);
  return listOf(storage_entries).map((entry) => ({
    address: textOf(address),
    key: textOf(objectOf(entry)["key"]),
    value: textOf(objectOf(entry)["value"]),
  }));
}

function Storage({
  entries,
  before,
}: {
  readonly entries: readonly Entry[];
  readonly before: number;
}) {
  const loaded = useLoad(`storage ${before} ${entries.map(({ key }) => key).join()}`, () =>
    valuesAt(entries, before),
  );
  const old = loaded.state === "ready" ? loaded.value : [];
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Contract</th>
            <th>Storage key</th>
            <th>{before < 0 ? "Before" : `After block ${before}`}</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ address, key, value }, i) => (
            <tr key={`${address} ${key}`}>
              <td>
                <Hash felt={address} to="contract" />
              </td>
              <td>
                <Hash felt={key} />
              </td>
              <td>{old[i] === undefined ? "…" : <FeltText felt={old[i] ?? ""} />}</td>
              <td>
                <FeltText felt={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

async function valuesAt(entries: readonly Entry[], block: number): Promise<readonly string[]> {
  if (block < 0) return entries.map(() => "0x0");
  const results = await rpc.batch(
    entries.map(({ address, key }) => ({
      method: "starknet_getStorageAt",
      params: { block_id: { block_number: block }, contract_address: address, key },
    })),
  );
  // A contract that did not exist yet has no storage.
  return results.map((one) => (one instanceof PageError ? "0x0" : textOf(one)));
}
