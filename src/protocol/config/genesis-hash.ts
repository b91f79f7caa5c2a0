import type { JsonValue } from "#base/codec/index.ts";
import { canonicalHash } from "./canonical-hash.ts";
import type { GenesisConfig } from "./chain-config.ts";
import { genesisField } from "./genesis-fields.ts";

/**
 * Identifies the content of a genesis section: equal for equal classes, contracts and balances.
 *
 * Classes from files count by name only: the files may move, and are not needed once the chain exists.
 */
export function genesisHash(genesis: GenesisConfig): string {
  const classes = genesis.classes.map(({ name, source }) =>
    source.kind === "builtin" ? `${name}=${source.builtin}` : `${name}=file`,
  );
  const written = genesisField.write({ ...genesis, classes: [] }) as Record<string, JsonValue>;
  return canonicalHash({ ...written, classes });
}
