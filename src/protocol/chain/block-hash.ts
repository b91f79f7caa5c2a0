import {
  pedersenArray,
  poseidonMany,
  sign,
  type Signature,
  verify,
} from "#protocol/crypto/index.ts";
import { protocolRules } from "#protocol/versions/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import type { BlockHeader, GasPrices, L1DaMode } from "./block.ts";

/** Header without its hash. */
export type UnhashedHeader = Omit<BlockHeader, "hash">;

const BLOCK_HASH_0 = feltFromShortString("STARKNET_BLOCK_HASH0");
const BLOCK_HASH_1 = feltFromShortString("STARKNET_BLOCK_HASH1");
const GAS_PRICES_0 = feltFromShortString("STARKNET_GAS_PRICES0");

/**
 * Hash of a block by the rule of its protocol version: Poseidon over the whole header since 0.13.2 (with one
 * hash for the gas prices since 0.13.4), Pedersen over parts of it before.
 *
 * Mainnet blocks before 833 followed an older rule: see {@link firstEraBlockHash}.
 * Source: Starknet docs, "Block hash".
 */
export function blockHash(header: UnhashedHeader): Felt {
  const { protocolVersion, gasPrices } = header;
  const number = BigInt(header.number);
  const timestamp = BigInt(header.timestamp);
  const { blockCommitments, gasPricesHashed } = protocolRules(protocolVersion);
  if (blockCommitments === "pedersen") {
    return pedersenArray([
      number,
      header.newRoot,
      header.sequencerAddress,
      timestamp,
      BigInt(header.transactionCount),
      header.transactionCommitment,
      BigInt(header.eventCount),
      header.eventCommitment,
      0n,
      0n,
      header.parentHash,
    ]);
  }
  const { l1Gas, l1DataGas } = gasPrices;
  const prices = gasPricesHashed
    ? [gasPricesHash(gasPrices)]
    : [l1Gas.wei, l1Gas.fri, l1DataGas.wei, l1DataGas.fri];
  return poseidonMany([
    gasPricesHashed ? BLOCK_HASH_1 : BLOCK_HASH_0,
    number,
    header.newRoot,
    header.sequencerAddress,
    timestamp,
    concatenatedCounts(header, header.l1DaMode),
    header.stateDiffCommitment,
    header.transactionCommitment,
    header.eventCommitment,
    header.receiptCommitment,
    ...prices,
    feltFromShortString(protocolVersion),
    0n,
    header.parentHash,
  ]);
}

/** Block hash of the first era (protocol before 0.7), which covers the chain id. */
export function firstEraBlockHash(header: UnhashedHeader, chainId: Felt): Felt {
  return pedersenArray([
    BigInt(header.number),
    header.newRoot,
    0n,
    0n,
    BigInt(header.transactionCount),
    header.transactionCommitment,
    0n,
    0n,
    0n,
    0n,
    chainId,
    header.parentHash,
  ]);
}

/** Hash of all gas prices, part of headers since protocol 0.13.4. */
export function gasPricesHash({ l1Gas, l1DataGas, l2Gas }: GasPrices): Felt {
  return poseidonMany([
    GAS_PRICES_0,
    l1Gas.wei,
    l1Gas.fri,
    l1DataGas.wei,
    l1DataGas.fri,
    l2Gas.wei,
    l2Gas.fri,
  ]);
}

/** Packs three 64-bit counts and the data availability bit, from the top of 256 bits. */
export function concatenatedCounts(
  counts: Pick<BlockHeader, "transactionCount" | "eventCount" | "stateDiffLength">,
  l1DaMode: L1DaMode,
): Felt {
  return (
    (BigInt(counts.transactionCount) << 192n) |
    (BigInt(counts.eventCount) << 128n) |
    (BigInt(counts.stateDiffLength) << 64n) |
    (l1DaMode === "BLOB" ? 1n << 63n : 0n)
  );
}

/**
 * Message that the sequencer signs: the block hash, before 0.13.2 together with the state diff commitment.
 */
export function blockSignatureMessage(
  header: Pick<BlockHeader, "hash" | "stateDiffCommitment" | "protocolVersion">,
): Felt {
  return protocolRules(header.protocolVersion).signedMessage === "hash"
    ? header.hash
    : poseidonMany([header.hash, header.stateDiffCommitment]);
}

/** Signs a block with the sequencer's key. */
export function signBlock(
  privateKey: Felt,
  header: Pick<BlockHeader, "hash" | "stateDiffCommitment" | "protocolVersion">,
): Signature {
  return sign(privateKey, blockSignatureMessage(header));
}

/**
 * Whether the holder of `publicKey` signed the block.
 *
 * The public networks signed their last blocks before 0.13.2 by the new rule, so both messages are accepted
 * there.
 */
export function verifyBlockSignature(
  publicKey: Felt,
  header: Pick<BlockHeader, "hash" | "stateDiffCommitment" | "protocolVersion">,
  signature: Signature,
): boolean {
  if (verify(publicKey, header.hash, signature.r, signature.s)) return true;
  const message = blockSignatureMessage(header);
  return message !== header.hash && verify(publicKey, message, signature.r, signature.s);
}
