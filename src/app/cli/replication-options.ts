import type { ReplicationOptions } from "#app/node/index.ts";
import type { ObjectStoreOptions } from "#io/objects/index.ts";
import { wrongOption } from "./option-errors.ts";
import type { SourcedOptions } from "./sourced-options.ts";

/**
 * Combines an object store's address from one option with `--object-store-credentials-file`; `null` if the
 * address is not set.
 */
export function storeOf(
  { options }: Pick<SourcedOptions<"objectStoreCredentialsFile">, "options">,
  url: Omit<ObjectStoreOptions, "credentialsFile"> | null,
): ObjectStoreOptions | null {
  return url && { ...url, credentialsFile: options.objectStoreCredentialsFile };
}

/**
 * Combines the options of a sequencer that shares its chain; `null` when it does not.
 *
 * @throws {ConfigError} when an option has no effect without another one
 */
export function replicationOf(
  values: SourcedOptions<"replication" | "objectStoreCredentialsFile">,
): ReplicationOptions | null {
  const { store: url, standby, takeoverAfterMs, ...settings } = values.options.replication;
  const store = storeOf(values, url);
  if (store === null) {
    if (!standby) return null;
    throw wrongOption(
      values.sources,
      "standby",
      "requires the store to follow: set --publish-gate",
    );
  }
  return { ...settings, store, standby: standby ? { takeoverAfterMs } : null };
}
