import { named, type Schema, type SchemaKeywords } from "#base/codec/index.ts";
import { COUNT, FELT, FELTS, list, type Members, oneOf, record, TEXT } from "./common.ts";

/** List of pairs of felts, with these member names. */
function pairs(keyName: string, valueName: string): SchemaKeywords {
  return list(record({ [keyName]: FELT, [valueName]: FELT }));
}

/** JSON schemas of the members of STATE_DIFF that every version has. */
export const CHANGE_MEMBERS: Members = {
  storage_diffs: list(record({ address: FELT, storage_entries: pairs("key", "value") })),
  deprecated_declared_classes: FELTS,
  declared_classes: pairs("class_hash", "compiled_class_hash"),
  deployed_contracts: pairs("address", "class_hash"),
  replaced_classes: pairs("contract_address", "class_hash"),
  nonces: pairs("contract_address", "nonce"),
};

/**
 * JSON schema of the member of STATE_DIFF that lists classes whose compiled class hash has changed.
 */
export const MIGRATION_MEMBERS: Members = {
  migrated_compiled_classes: pairs("class_hash", "compiled_class_hash"),
};

/** State root before a block being built. */
const OLD_ROOT: Members = { old_root: FELT };

/**
 * JSON schema of STATE_UPDATE, sealed or of a block being built.
 *
 * @param buildingName - specification's name for a block being built: PRE_CONFIRMED or PENDING
 * @param knowsOldRoot - the update of a block being built always contains the previous root
 */
export function stateUpdateSchema(
  diff: Schema,
  buildingName: string,
  knowsOldRoot: boolean,
): SchemaKeywords {
  const building = { state_diff: diff };
  return oneOf(
    named(
      "STATE_UPDATE",
      record({ block_hash: FELT, new_root: FELT, old_root: FELT, state_diff: diff }),
    ),
    named(
      `${buildingName}_STATE_UPDATE`,
      knowsOldRoot ? record({ ...building, ...OLD_ROOT }) : record(building, OLD_ROOT),
    ),
  );
}

/** JSON schema of INITIAL_READS. */
export const INITIAL_READS: Schema = named(
  "INITIAL_READS",
  record({
    storage: list(record({ contract_address: FELT, key: FELT, value: FELT })),
    nonces: pairs("contract_address", "nonce"),
    class_hashes: pairs("contract_address", "class_hash"),
    declared_contracts: list(record({ class_hash: FELT, is_declared: { type: "boolean" } })),
  }),
);

/** JSON schemas of the members of EMITTED_EVENT without the block's number and hash. */
export const EMITTED_MEMBERS: Members = {
  from_address: FELT,
  keys: FELTS,
  data: FELTS,
  transaction_hash: FELT,
};

/** JSON schema of EVENTS_CHUNK, with additional members of its events. */
export function eventsPageSchema(required: Members, optional: Members): SchemaKeywords {
  const event = named("EMITTED_EVENT", record({ ...EMITTED_MEMBERS, ...required }, optional));
  return record({ events: list(event) }, { continuation_token: TEXT });
}

/** JSON schema of a storage value with the block that wrote it. */
export const STORAGE_WITH_BLOCK: Schema = named(
  "STORAGE_RESULT",
  record({ value: FELT, last_update_block: COUNT }),
);

/** JSON schema of SYNC_STATUS, or `false`. */
export const SYNC_STATUS: Schema = oneOf(
  { const: false },
  named(
    "SYNC_STATUS",
    record({
      starting_block_hash: FELT,
      starting_block_num: COUNT,
      current_block_hash: FELT,
      current_block_num: COUNT,
      highest_block_hash: FELT,
      highest_block_num: COUNT,
    }),
  ),
);
