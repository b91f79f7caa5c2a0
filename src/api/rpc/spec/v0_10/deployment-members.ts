import { contractAddress, type DeployAccountV3 } from "#protocol/chain/index.ts";
import { array, convert, type Decoded, felt, literal } from "#base/codec/index.ts";

/**
 * Maximum calldata over all protocol versions (`gateway.max_calldata_length`). Checked during decoding
 * because the address is a Pedersen hash of all calldata, computed before any other check of the transaction.
 */
const MAX_CONSTRUCTOR_FELTS = 5_000;

/** Decoders of the members that every DEPLOY_ACCOUNT_TXN has. */
export const deploymentMembers = {
  type: literal("DEPLOY_ACCOUNT"),
  class_hash: felt,
  contract_address_salt: felt,
  constructor_calldata: convert(
    array(felt),
    `array of at most ${MAX_CONSTRUCTOR_FELTS} felts`,
    (felts) => (felts.length > MAX_CONSTRUCTOR_FELTS ? undefined : felts),
  ),
} as const;

/** Returns the deployment fields, with the derived address. */
export function deploymentOf(read: {
  readonly [K in Exclude<keyof typeof deploymentMembers, "type">]: Decoded<
    (typeof deploymentMembers)[K]
  >;
}): Pick<
  DeployAccountV3,
  "classHash" | "contractAddressSalt" | "constructorCalldata" | "contractAddress"
> {
  const { class_hash: classHash, contract_address_salt: salt } = read;
  const { constructor_calldata: calldata } = read;
  return {
    classHash,
    contractAddressSalt: salt,
    constructorCalldata: calldata,
    contractAddress: contractAddress(0n, salt, classHash, calldata),
  };
}
