import { type ChainConfig, PUBLIC_ADDRESSES } from "#protocol/config/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";

/** Addresses where SDKs expect the universal deployer: the current one, then its predecessor. */
const KNOWN_DEPLOYERS: readonly Felt[] = [
  PUBLIC_ADDRESSES.universalDeployer,
  PUBLIC_ADDRESSES.legacyUniversalDeployer,
];

/** Returns the universal deployers of a chain: those that SDKs know, and those of its genesis. */
export function universalDeployers(
  { genesis }: Pick<ChainConfig, "genesis">,
  state: Pick<StateReader, "classHashAt">,
): readonly Felt[] {
  const names = new Set(
    genesis?.classes.flatMap(({ name, source }) =>
      source.kind === "builtin" && source.builtin === "universal_deployer" ? [name] : [],
    ),
  );
  const placed = [...(genesis?.contracts ?? [])].flatMap(([address, { class: reference }]) =>
    reference.kind === "name" && names.has(reference.name) ? [address] : [],
  );
  const all = new Set([...KNOWN_DEPLOYERS, ...placed]);
  return [...all].filter((address) => state.classHashAt(address) !== 0n);
}
