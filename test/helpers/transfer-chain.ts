import { type HashedTransaction, type InvokeV3, transactionHash } from "#protocol/chain/index.ts";
import { BUILT_IN_CONSTANTS } from "#protocol/versions/index.ts";
import { selectorFromName, sign } from "#protocol/crypto/index.ts";
import type { BlockContext, BouncerCapacity } from "#engine/execution/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";

/** Address of the STRK token. */
export const STRK = 0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
/** Address of the account that pays and signs. */
export const SENDER = 0xa11cen;
/** Address that receives fees. */
export const SEQUENCER = 0x5e9n;

const CHAIN_ID = feltFromShortString("SN_MAIN");
/** The private key of {@link SENDER}. */
export const SENDER_KEY = 0x1234n;
const PRICES = {
  l1Gas: { wei: 1_000_000_000n, fri: 100_000_000_000n },
  l1DataGas: { wei: 1n, fri: 1n },
  l2Gas: { wei: 1n, fri: 1n },
};

/** Info of block `number`; by default without a weight limit. */
export function transferBlock(bouncer: BouncerCapacity = { limits: {} }, number = 5): BlockContext {
  return {
    info: {
      number,
      timestamp: 1_700_000_000,
      sequencerAddress: SEQUENCER,
      gasPrices: PRICES,
      l1DaMode: "BLOB",
      protocolVersion: "0.14.4",
    },
    chainId: CHAIN_ID,
    feeTokens: { strk: STRK, eth: 1n },
    constants: BUILT_IN_CONSTANTS.at("0.14.4"),
    bouncer,
  };
}

/** Options of {@link transfer}. */
export interface TransferOptions {
  readonly recipient?: Felt;
  readonly amount?: bigint;
  readonly l2GasLimit?: bigint;
  readonly signature?: readonly Felt[];
  /** Sets all prices to 0. */
  readonly isFree?: true;
}

/** A signed invoke of version 3 that transfers STRK from {@link SENDER}. */
export function transfer(nonce: Felt, options: TransferOptions = {}): HashedTransaction<InvokeV3> {
  const { recipient = 0x10000000000000000000000000000n + nonce, amount = 1n } = options;
  const price = options.isFree === true ? 0n : 1n;
  const call = [STRK, selectorFromName("transfer"), 3n, recipient, amount, 0n];
  const unsigned: InvokeV3 = {
    type: "INVOKE",
    version: 3,
    resourceBounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: price * PRICES.l1Gas.fri },
      l2Gas: { maxAmount: options.l2GasLimit ?? 100_000_000n, maxPricePerUnit: price },
      l1DataGas: { maxAmount: 10_000n, maxPricePerUnit: price },
    },
    tip: 0n,
    paymasterData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    accountDeploymentData: [],
    proofFacts: [],
    signature: [],
    nonce,
    senderAddress: SENDER,
    calldata: [1n, ...call],
  };
  const hash = transactionHash(unsigned, CHAIN_ID);
  const { r, s } = sign(SENDER_KEY, hash);
  return { hash, transaction: { ...unsigned, signature: options.signature ?? [r, s] } };
}
