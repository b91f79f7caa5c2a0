import {
  type AccountTransaction,
  contractAddress,
  type HashedTransaction,
  type ResourceBounds,
  transactionHash,
  type V3Fields,
} from "#protocol/chain/index.ts";
import { sign } from "#protocol/crypto/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { ExecutionFlags } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { StateReader } from "#engine/state/index.ts";
import { type LoadedClass, loadClass } from "./classes.ts";
import type { Step, StepTransaction } from "./input.ts";

/** A transaction of a step, signed and hashed. */
export interface PreparedTransaction {
  readonly hashed: HashedTransaction<AccountTransaction>;
  readonly flags: ExecutionFlags;
  readonly declared: LoadedClass | undefined;
  readonly nonce: Felt;
}

const QUERY_BASE = 1n << 128n;

function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new DecodeError(`tx.${field}`, "a value (it is missing)");
  return value;
}

/** Reads, hashes and signs the transaction of a step. */
export function prepareTransaction(
  tx: StepTransaction,
  flags: Step["flags"],
  base: string,
  chainId: Felt,
  state: StateReader,
): PreparedTransaction {
  const isQuery = tx.version >= QUERY_BASE;
  const version = Number(isQuery ? tx.version - QUERY_BASE : tx.version);
  const onlyQuery = flags?.only_query ?? isQuery;
  const declared =
    tx.contract_class === undefined
      ? undefined
      : loadClass(tx.contract_class, base, "tx.contract_class");
  const nonce = nonceOfStep(tx, state);
  const unsigned = buildTransaction(tx, version, nonce, tx.signature ?? [], declared?.classHash);
  const hash = transactionHash(unsigned, chainId, { query: onlyQuery });
  let transaction = unsigned;
  if (tx.sign_with !== undefined) {
    const { r, s } = sign(tx.sign_with, hash);
    transaction = buildTransaction(tx, version, nonce, [r, s], declared?.classHash);
  }
  return {
    hashed: { hash, transaction },
    flags: {
      validate: flags?.validate ?? true,
      strictNonce: flags?.strict_nonce ?? true,
      onlyQuery,
      ...(flags?.charge_fee === undefined ? {} : { chargeFee: flags.charge_fee }),
    },
    declared,
    nonce,
  };
}

function nonceOfStep(tx: StepTransaction, state: StateReader): Felt {
  if (tx.nonce?.kind === "exact") return tx.nonce.value;
  const offset = tx.nonce?.offset ?? 0n;
  if (tx.type === "DEPLOY_ACCOUNT") return offset > 0n ? offset : 0n;
  const sender = required(tx.sender_address ?? tx.contract_address, "sender_address");
  return state.nonceAt(sender) + offset;
}

function boundsOf(tx: StepTransaction): ResourceBounds {
  const boundsJson = required(tx.resource_bounds, "resource_bounds");
  const read = (bound: { max_amount: bigint; max_price_per_unit: bigint }) => ({
    maxAmount: bound.max_amount,
    maxPricePerUnit: bound.max_price_per_unit,
  });
  const l1Gas = required(boundsJson.l1_gas ?? boundsJson.L1_GAS, "resource_bounds.l1_gas");
  const l2Gas = required(boundsJson.l2_gas ?? boundsJson.L2_GAS, "resource_bounds.l2_gas");
  const l1DataGas = boundsJson.l1_data_gas ?? boundsJson.L1_DATA_GAS;
  return {
    l1Gas: read(l1Gas),
    l2Gas: read(l2Gas),
    l1DataGas: l1DataGas === undefined ? null : read(l1DataGas),
  };
}

function v3Fields(tx: StepTransaction): V3Fields {
  return {
    resourceBounds: boundsOf(tx),
    tip: tx.tip ?? 0n,
    paymasterData: tx.paymaster_data ?? [],
    nonceDataAvailabilityMode: tx.nonce_data_availability_mode === "L2" ? 1 : 0,
    feeDataAvailabilityMode: tx.fee_data_availability_mode === "L2" ? 1 : 0,
  };
}

function buildTransaction(
  tx: StepTransaction,
  version: number,
  nonce: Felt,
  signature: readonly Felt[],
  declaredHash: Felt | undefined,
): AccountTransaction {
  const type = tx.type === "INVOKE_FUNCTION" ? "INVOKE" : tx.type;
  const sender = (): Felt => required(tx.sender_address ?? tx.contract_address, "sender_address");
  const maxFee = (): bigint => required(tx.max_fee, "max_fee");
  const classHash = (): Felt => required(tx.class_hash ?? declaredHash, "class_hash");
  switch (`${type} ${version}`) {
    case "INVOKE 0":
      return {
        type: "INVOKE",
        version: 0,
        maxFee: maxFee(),
        signature,
        contractAddress: sender(),
        entryPointSelector: required(tx.entry_point_selector, "entry_point_selector"),
        calldata: required(tx.calldata, "calldata"),
      };
    case "INVOKE 1":
      return {
        type: "INVOKE",
        version: 1,
        maxFee: maxFee(),
        signature,
        nonce,
        senderAddress: sender(),
        calldata: required(tx.calldata, "calldata"),
      };
    case "INVOKE 3":
      return {
        type: "INVOKE",
        version: 3,
        ...v3Fields(tx),
        signature,
        nonce,
        senderAddress: sender(),
        calldata: required(tx.calldata, "calldata"),
        accountDeploymentData: tx.account_deployment_data ?? [],
        proofFacts: tx.proof_facts ?? [],
      };
    case "DECLARE 0":
    case "DECLARE 1":
      return {
        type: "DECLARE",
        version: version === 0 ? 0 : 1,
        maxFee: maxFee(),
        signature,
        nonce,
        senderAddress: sender(),
        classHash: classHash(),
      };
    case "DECLARE 2":
      return {
        type: "DECLARE",
        version: 2,
        maxFee: maxFee(),
        signature,
        nonce,
        senderAddress: sender(),
        classHash: classHash(),
        compiledClassHash: required(tx.compiled_class_hash, "compiled_class_hash"),
      };
    case "DECLARE 3":
      return {
        type: "DECLARE",
        version: 3,
        ...v3Fields(tx),
        signature,
        nonce,
        senderAddress: sender(),
        classHash: classHash(),
        compiledClassHash: required(tx.compiled_class_hash, "compiled_class_hash"),
        accountDeploymentData: tx.account_deployment_data ?? [],
      };
    case "DEPLOY_ACCOUNT 1":
    case "DEPLOY_ACCOUNT 3": {
      const salt = required(tx.contract_address_salt, "contract_address_salt");
      const calldata = required(tx.constructor_calldata, "constructor_calldata");
      const fields = {
        type: "DEPLOY_ACCOUNT" as const,
        signature,
        nonce,
        contractAddress: contractAddress(0n, salt, classHash(), calldata),
        classHash: classHash(),
        contractAddressSalt: salt,
        constructorCalldata: calldata,
      };
      return version === 1
        ? { ...fields, version: 1, maxFee: maxFee() }
        : { ...fields, version: 3, ...v3Fields(tx) };
    }
    default:
      throw new DecodeError("tx.type", `a known type and version, not ${type} ${version}`);
  }
}
