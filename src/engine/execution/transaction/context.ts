import {
  type AccountTransaction,
  type FeeUnit,
  type HashedTransaction,
  type L1Handler,
  nonceOf,
  QUERY_VERSION_BASE,
  type ResourceBounds,
  senderAddressOf,
} from "#protocol/chain/index.ts";
import { invariant } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockContext } from "../block/context.ts";
import type { GasMode, PriceVector } from "../fee/gas-vector.ts";
import { maxFeeOfBounds } from "./max-fee.ts";

/** Transaction as execution sees it, independent of type and version. */
export interface TransactionContext {
  readonly block: BlockContext;
  readonly hash: Felt;
  /** Version without the query bit. */
  readonly version: number;
  readonly onlyQuery: boolean;
  /** Version including the query bit if the transaction is a query. */
  readonly signedVersion: Felt;
  readonly senderAddress: Felt;
  readonly nonce: Felt;
  readonly signature: readonly Felt[];
  /** Version 3 fields; `null` for older versions, whose fee is limited only by `maxFee`. */
  readonly v3: V3Context | null;
  readonly maxFee: bigint;
  readonly gasMode: GasMode;
  readonly feeUnit: FeeUnit;
  readonly feeToken: Felt;
  readonly prices: PriceVector;
  /** Tip if the protocol counts it, else 0. */
  readonly tip: bigint;
  /** Maximum fee that the bounds allow, capped at 2^128 - 1. */
  readonly maxPossibleFee: bigint;
  /** Sierra gas for validation and execution together. */
  readonly initialSierraGas: number;
}

/** Fields of a version 3 transaction that contracts can read. */
export interface V3Context {
  readonly bounds: ResourceBounds;
  readonly tip: bigint;
  readonly paymasterData: readonly Felt[];
  readonly nonceDataAvailabilityMode: number;
  readonly feeDataAvailabilityMode: number;
  readonly accountDeploymentData: readonly Felt[];
  readonly proofFacts: readonly Felt[];
}

/**
 * Context of an account transaction.
 *
 * @param freeGas - whether an L2 gas bound of 0 means the protocol's maximum
 */
export function accountContext(
  block: BlockContext,
  { hash, transaction }: HashedTransaction<AccountTransaction>,
  onlyQuery: boolean,
  freeGas = false,
): TransactionContext {
  const v3: V3Context | null =
    transaction.version === 3
      ? {
          bounds: transaction.resourceBounds,
          tip: transaction.tip,
          paymasterData: transaction.paymasterData,
          nonceDataAvailabilityMode: transaction.nonceDataAvailabilityMode,
          feeDataAvailabilityMode: transaction.feeDataAvailabilityMode,
          accountDeploymentData:
            transaction.type === "DEPLOY_ACCOUNT" ? [] : transaction.accountDeploymentData,
          proofFacts: transaction.type === "INVOKE" ? transaction.proofFacts : [],
        }
      : null;
  const maxFee = transaction.version === 3 ? 0n : transaction.maxFee;
  const gasMode: GasMode = v3 !== null && v3.bounds.l1DataGas !== null ? "l2" : "l1";
  const { os, flags } = block.constants;
  const tip = v3 !== null && flags.enableTip ? v3.tip : 0n;
  const bought = v3 !== null && gasMode === "l2" ? v3.bounds.l2Gas.maxAmount : undefined;
  const initial =
    bought === undefined || (freeGas && bought === 0n)
      ? os.executeMaxSierraGas + os.validateMaxSierraGas
      : bought;
  return {
    block,
    hash,
    version: transaction.version,
    onlyQuery,
    signedVersion: signedVersionOf(transaction.version, onlyQuery),
    senderAddress: senderAddressOf(transaction),
    nonce: nonceOf(transaction),
    signature: transaction.signature,
    v3,
    maxFee,
    gasMode,
    ...feeUnitOf(block, v3 !== null),
    tip,
    maxPossibleFee: v3 === null ? maxFee : maxFeeOfBounds(v3.bounds, tip),
    initialSierraGas: Number(initial),
  };
}

/** Context of a message from L1: no sender, no fee. */
export function l1HandlerContext(
  block: BlockContext,
  { hash, transaction }: HashedTransaction<L1Handler>,
): TransactionContext {
  const { os } = block.constants;
  return {
    block,
    hash,
    version: 0,
    onlyQuery: false,
    signedVersion: 0n,
    senderAddress: transaction.contractAddress,
    nonce: transaction.nonce,
    signature: [],
    v3: null,
    maxFee: 0n,
    gasMode: "l2",
    ...feeUnitOf(block, false),
    tip: 0n,
    maxPossibleFee: 0n,
    initialSierraGas: Number(os.executeMaxSierraGas + os.validateMaxSierraGas),
  };
}

/** Context of a transaction about to be executed. */
export function contextOf(
  block: BlockContext,
  { hash, transaction }: HashedTransaction,
  onlyQuery = false,
): TransactionContext {
  invariant(transaction.type !== "DEPLOY", "Deploy transactions are no longer executed.");
  return transaction.type === "L1_HANDLER"
    ? l1HandlerContext(block, { hash, transaction })
    : accountContext(block, { hash, transaction }, onlyQuery);
}

/** Context of a call outside any transaction: version 0 without limits. */
export function callContext(block: BlockContext): TransactionContext {
  const { os } = block.constants;
  const unpriced = { maxAmount: 0n, maxPricePerUnit: 1n };
  return {
    block,
    hash: 0n,
    version: 0,
    onlyQuery: false,
    signedVersion: 0n,
    senderAddress: 0n,
    nonce: 0n,
    signature: [],
    v3: {
      bounds: {
        l1Gas: unpriced,
        l2Gas: { maxAmount: UNLIMITED_GAS, maxPricePerUnit: 0n },
        l1DataGas: unpriced,
      },
      tip: 0n,
      paymasterData: [],
      nonceDataAvailabilityMode: 1,
      feeDataAvailabilityMode: 1,
      accountDeploymentData: [],
      proofFacts: [],
    },
    maxFee: 0n,
    gasMode: "l2",
    ...feeUnitOf(block, true),
    tip: 0n,
    maxPossibleFee: 0n,
    initialSierraGas: Number(os.executeMaxSierraGas),
  };
}

/** Version as signed: includes the query bit if the transaction is a query. */
export function signedVersionOf(version: number, onlyQuery: boolean): Felt {
  return BigInt(version) + (onlyQuery ? QUERY_VERSION_BASE : 0n);
}

/** L2 gas bound that contracts see in a call outside any transaction. */
const UNLIMITED_GAS = 10_000_000_000n;

function feeUnitOf(
  block: BlockContext,
  isV3: boolean,
): Pick<TransactionContext, "feeUnit" | "feeToken" | "prices"> {
  const { l1Gas, l1DataGas, l2Gas } = block.info.gasPrices;
  return isV3
    ? {
        feeUnit: "FRI",
        feeToken: block.feeTokens.strk,
        prices: { l1Gas: l1Gas.fri, l1DataGas: l1DataGas.fri, l2Gas: l2Gas.fri },
      }
    : {
        feeUnit: "WEI",
        feeToken: block.feeTokens.eth,
        prices: { l1Gas: l1Gas.wei, l1DataGas: l1DataGas.wei, l2Gas: l2Gas.wei },
      };
}
