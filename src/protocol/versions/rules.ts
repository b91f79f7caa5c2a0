import { bool, type Codec, literal, strictObject } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import { VERSION_FILES } from "./data/index.ts";
import { overlay } from "./overlay.ts";
import { compareProtocolVersions } from "./version.ts";

/**
 * Hashing and signing rules of a protocol version: the rules that are not prices or limits, including those
 * for blocks older than the oldest constants.
 *
 * Source: Starknet docs, "Block hash" and "Compiled class hash".
 */
export interface ProtocolRules {
  /** Hash function of the block hash and its commitments; Poseidon since 0.13.2. */
  readonly blockCommitments: "pedersen" | "poseidon";
  /** Transactions whose signatures the transaction commitment covers; all since 0.11.1. */
  readonly committedSignatures: "invoke" | "all";
  /** Whether the commitment treats a missing signature as a single zero; until 0.13.4. */
  readonly zeroForUnsigned: boolean;
  /** Whether the block hash covers one hash of all gas prices instead of four prices; since 0.13.4. */
  readonly gasPricesHashed: boolean;
  /** Message that the sequencer signs; only the block hash since 0.13.2. */
  readonly signedMessage: "hash_and_state_diff" | "hash";
  /** Whether the state root covers an empty class trie; since 0.14.0. */
  readonly alwaysHashClasses: boolean;
  /** Hash function of compiled class hashes in declarations; Blake2s since 0.14.1. */
  readonly compiledClassHash: "poseidon" | "blake";
  /** Whether transactions of versions below 3, with a single maximum fee, are accepted; until 0.13.6. */
  readonly maxFeeTransactions: boolean;
}

const protocolRulesCodec: Codec<ProtocolRules> = strictObject({
  blockCommitments: literal("pedersen", "poseidon"),
  committedSignatures: literal("invoke", "all"),
  zeroForUnsigned: bool,
  gasPricesHashed: bool,
  signedMessage: literal("hash_and_state_diff", "hash"),
  alwaysHashClasses: bool,
  compiledClassHash: literal("poseidon", "blake"),
  maxFeeTransactions: bool,
});

/** Rules of every version file, oldest first. */
function allRules(): readonly (readonly [string, ProtocolRules])[] {
  let document: unknown = {};
  return VERSION_FILES.map((file) => {
    document = overlay(document, file.rules ?? {});
    return [file.version, protocolRulesCodec.decode(document, file.version)] as const;
  });
}

const RULES = allRules();

/**
 * Rules in force at a protocol version: those of the largest known version not above it. Unknown newer
 * versions use the newest known rules, and the empty version of blocks before 0.9.1 precedes all others.
 *
 * @throws {ConfigError} when `version` is not a version
 */
export function protocolRules(version: string): ProtocolRules {
  const found = RULES.findLast(([known]) => compareProtocolVersions(known, version) <= 0);
  invariant(found !== undefined, `no rules cover protocol version ${version}`);
  return found[1];
}
