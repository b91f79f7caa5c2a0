import { pedersenArray, poseidonMany } from "#protocol/crypto/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type {
  DeclareTransaction,
  DeployAccountTransaction,
  DeployLegacy,
  InvokeTransaction,
  L1Handler,
  Transaction,
} from "./transaction.ts";
import {
  CONSTRUCTOR_SELECTOR,
  DECLARE,
  DEPLOY,
  DEPLOY_ACCOUNT,
  INVOKE,
  L1_HANDLER,
} from "./transaction-prefix.ts";
import { listHash, v3Fields } from "./v3-fields.ts";

/**
 * Number 2^128, added to the version of a transaction that is only simulated, so that its signature
 * is invalid on chain.
 */
export const QUERY_VERSION_BASE: bigint = 1n << 128n;

/**
 * Hash that identifies a transaction and that its sender signs.
 *
 * Source: Starknet docs, "Transactions"; SNIP-8 for version 3.
 *
 * @param chainId - the chain's short string as a felt, for example `SN_MAIN`
 * @param options.query - hash with the query version, for estimates and simulations
 * @param options.pause - called about every ten milliseconds on long calldata; may throw to abort, and must
 *   not hash
 */
export function transactionHash(
  transaction: Transaction,
  chainId: Felt,
  options: { readonly query?: boolean; readonly pause?: () => void } = {},
): Felt {
  const version = BigInt(transaction.version) + (options.query === true ? QUERY_VERSION_BASE : 0n);
  switch (transaction.type) {
    case "INVOKE":
      return invokeHash(transaction, version, chainId, options.pause);
    case "DECLARE":
      return declareHash(transaction, version, chainId);
    case "DEPLOY_ACCOUNT":
      return deployAccountHash(transaction, version, chainId, options.pause);
    case "DEPLOY":
      return deployHash(transaction, version, chainId);
    case "L1_HANDLER":
      return l1HandlerHash(transaction, version, chainId);
  }
}

function invokeHash(
  transaction: InvokeTransaction,
  version: Felt,
  chainId: Felt,
  pause?: () => void,
): Felt {
  switch (transaction.version) {
    case 0:
      return pedersenArray([
        INVOKE,
        version,
        transaction.contractAddress,
        transaction.entryPointSelector,
        pedersenArray(transaction.calldata, pause),
        transaction.maxFee,
        chainId,
      ]);
    case 1:
      return pedersenArray([
        INVOKE,
        version,
        transaction.senderAddress,
        0n,
        pedersenArray(transaction.calldata, pause),
        transaction.maxFee,
        chainId,
        transaction.nonce,
      ]);
    case 3: {
      const fields = v3Fields(INVOKE, version, transaction.senderAddress, transaction, chainId);
      fields.push(
        listHash(transaction.accountDeploymentData),
        poseidonMany(transaction.calldata, pause),
      );
      if (transaction.proofFacts.length > 0) fields.push(poseidonMany(transaction.proofFacts));
      return poseidonMany(fields);
    }
  }
}

function declareHash(transaction: DeclareTransaction, version: Felt, chainId: Felt): Felt {
  const { senderAddress, classHash } = transaction;
  if (transaction.version === 3) {
    const fields = v3Fields(DECLARE, version, senderAddress, transaction, chainId);
    fields.push(
      listHash(transaction.accountDeploymentData),
      classHash,
      transaction.compiledClassHash,
    );
    return poseidonMany(fields);
  }
  const calldata = transaction.version === 0 ? [] : [classHash];
  const fields = [
    DECLARE,
    version,
    senderAddress,
    0n,
    pedersenArray(calldata),
    transaction.maxFee,
    chainId,
  ];
  fields.push(transaction.version === 0 ? classHash : transaction.nonce);
  if (transaction.version === 2) fields.push(transaction.compiledClassHash);
  return pedersenArray(fields);
}

function deployAccountHash(
  transaction: DeployAccountTransaction,
  version: Felt,
  chainId: Felt,
  pause?: () => void,
): Felt {
  const { contractAddress, classHash, contractAddressSalt, constructorCalldata } = transaction;
  if (transaction.version === 3) {
    const fields = v3Fields(DEPLOY_ACCOUNT, version, contractAddress, transaction, chainId);
    fields.push(poseidonMany(constructorCalldata, pause), classHash, contractAddressSalt);
    return poseidonMany(fields);
  }
  return pedersenArray([
    DEPLOY_ACCOUNT,
    version,
    contractAddress,
    0n,
    pedersenArray([classHash, contractAddressSalt, ...constructorCalldata], pause),
    transaction.maxFee,
    chainId,
    transaction.nonce,
  ]);
}

function deployHash(transaction: DeployLegacy, version: Felt, chainId: Felt): Felt {
  return pedersenArray([
    DEPLOY,
    version,
    transaction.contractAddress,
    CONSTRUCTOR_SELECTOR,
    pedersenArray(transaction.constructorCalldata),
    0n,
    chainId,
  ]);
}

function l1HandlerHash(transaction: L1Handler, version: Felt, chainId: Felt): Felt {
  return pedersenArray([
    L1_HANDLER,
    version,
    transaction.contractAddress,
    transaction.entryPointSelector,
    pedersenArray(transaction.calldata),
    0n,
    chainId,
    transaction.nonce,
  ]);
}
