import { bool, type Codec, literal, strictObject } from "#base/codec/index.ts";
import { invariant } from "#base/errors/index.ts";
import { VERSION_FILES } from "./data/index.ts";
import { overlay } from "./overlay.ts";
import { compareProtocolVersions } from "./version.ts";

/**
 * How blocks of a protocol version are hashed and signed: what is no price or limit, and what blocks
 * older than the oldest constants need too.
 *
 * Source: Starknet docs, "Block hash" and "Compiled class hash".
 */
export interface ProtocolRules {
  /** Hash function of the block hash and of the commitments in it; Poseidon since 0.13.2. */
  readonly blockCommitments: "pedersen" | "poseidon";
  /** Whose signatures the transaction commitment covers; all since 0.11.1. */
  readonly committedSignatures: "invoke" | "all";
  /** A transaction without signature is committed to as if it had one zero; until 0.13.4. */
  readonly zeroForUnsigned: boolean;
  /** The block hash covers one hash of all gas prices instead of four prices; since 0.13.4. */
  readonly gasPricesHashed: boolean;
  /** What the sequencer signs; the block hash alone since 0.13.2. */
  readonly signedMessage: "hash_and_state_diff" | "hash";
  /** The state root covers the class trie also while that is empty; since 0.14.0. */
  readonly alwaysHashClasses: boolean;
  /** Hash function of compiled class hashes that declarations name; Blake2s since 0.14.1. */
  readonly compiledClassHash: "poseidon" | "blake";
  /** Transactions of the versions before 3, with their one maximal fee, are taken; until 0.13.6. */
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

/** The rules of every version file, oldest first. */
function allRules(): readonly (readonly [string, ProtocolRules])[] {
  let document: unknown = {};
  return VERSION_FILES.map((file) => {
    document = overlay(document, file.rules ?? {});
    return [file.version, protocolRulesCodec.decode(document, file.version)] as const;
  });
}

const RULES = allRules();

/**
 * The rules in force at a protocol version: those of the largest known version not above it. Newer
 * versions than the newest known one follow that one, and the empty text of blocks before 0.9.1 is
 * older than everything.
 *
 * @throws {ConfigError} when `version` is not a version
 */
export function protocolRules(version: string): ProtocolRules {
  const found = RULES.findLast(([known]) => compareProtocolVersions(known, version) <= 0);
  invariant(found !== undefined, "the oldest rules hold from version 0 on");
  return found[1];
}
