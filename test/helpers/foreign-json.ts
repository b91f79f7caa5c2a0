import {
  contractAddress,
  type DataAvailabilityMode,
  EMPTY_STATE_DIFF,
  type Event,
  type HashedTransaction,
  type MessageToL1,
  type Receipt,
  type ResourceBound,
  type StateDiff,
  type Transaction,
} from "#protocol/chain/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Trusted JSON of a fixture; tests read it without the product's codecs, which they verify. */
export type ForeignJson = Readonly<Record<string, unknown>>;

const list = (value: unknown): Felt[] => ((value ?? []) as readonly string[]).map(BigInt);
const number = (value: unknown): bigint => BigInt((value ?? 0) as string | number);
const record = (value: unknown): ForeignJson => (value ?? {}) as ForeignJson;
const records = (value: unknown): readonly ForeignJson[] => (value ?? []) as readonly ForeignJson[];

function mode(value: unknown): DataAvailabilityMode {
  return value === undefined || value === "L1" || Number(value) === 0 ? 0 : 1;
}

function bound(value: ForeignJson): ResourceBound {
  return {
    maxAmount: number(value["max_amount"]),
    maxPricePerUnit: number(value["max_price_per_unit"]),
  };
}

/**
 * A transaction in the shape of the gateway or of the Rust `starknet_api` resources.
 *
 * @param kind - `INVOKE`, `DECLARE`, `DEPLOY_ACCOUNT`, `DEPLOY` or `L1_HANDLER`
 */
export function foreignTransaction(kind: string, version: number, json: ForeignJson): Transaction {
  const signature = list(json["signature"]);
  const nonce = number(json["nonce"]);
  const classHash = number(json["class_hash"]);
  const calldata = list(json["calldata"]);
  const senderAddress = number(json["sender_address"] ?? json["contract_address"]);
  const deployment = {
    classHash,
    contractAddressSalt: number(json["contract_address_salt"]),
    constructorCalldata: list(json["constructor_calldata"]),
  };
  const deployed =
    json["contract_address"] === undefined
      ? contractAddress(
          0n,
          deployment.contractAddressSalt,
          classHash,
          deployment.constructorCalldata,
        )
      : number(json["contract_address"]);
  const maxFee = number(json["max_fee"]);
  const call = {
    contractAddress: number(json["contract_address"] ?? json["sender_address"]),
    entryPointSelector: number(json["entry_point_selector"]),
    calldata,
  };
  const compiledClassHash = number(json["compiled_class_hash"]);
  const account = { signature, nonce };
  const accountDeploymentData = list(json["account_deployment_data"]);
  if (kind === "L1_HANDLER") {
    return { type: "L1_HANDLER", version: 0, nonce, ...call, paidFeeOnL1: null };
  }
  if (kind === "DEPLOY") {
    return { type: "DEPLOY", version: version as 0, ...deployment, contractAddress: deployed };
  }
  if (version === 3) {
    const bounds = record(json["resource_bounds"]);
    const get = (name: string): unknown => bounds[name] ?? bounds[name.toLowerCase()];
    const data = get("L1_DATA_GAS") ?? get("L1_DATA");
    const v3 = {
      version: 3,
      resourceBounds: {
        l1Gas: bound(record(get("L1_GAS"))),
        l2Gas: bound(record(get("L2_GAS"))),
        l1DataGas: data === undefined ? null : bound(record(data)),
      },
      tip: number(json["tip"]),
      paymasterData: list(json["paymaster_data"]),
      nonceDataAvailabilityMode: mode(json["nonce_data_availability_mode"]),
      feeDataAvailabilityMode: mode(json["fee_data_availability_mode"]),
      ...account,
    } as const;
    if (kind === "DEPLOY_ACCOUNT") {
      return { type: "DEPLOY_ACCOUNT", ...v3, ...deployment, contractAddress: deployed };
    }
    if (kind === "DECLARE") {
      return {
        type: "DECLARE",
        ...v3,
        senderAddress,
        classHash,
        compiledClassHash,
        accountDeploymentData,
      };
    }
    const proofFacts = list(json["proof_facts"]);
    return { type: "INVOKE", ...v3, senderAddress, calldata, accountDeploymentData, proofFacts };
  }
  if (kind === "DEPLOY_ACCOUNT") {
    const base = { type: "DEPLOY_ACCOUNT", version: 1, maxFee, ...account } as const;
    return { ...base, ...deployment, contractAddress: deployed };
  }
  if (kind === "DECLARE") {
    const base = { type: "DECLARE", maxFee, ...account, senderAddress, classHash } as const;
    if (version === 2) return { ...base, version: 2, compiledClassHash };
    return { ...base, version: version as 0 | 1 };
  }
  return version === 0
    ? { type: "INVOKE", version: 0, maxFee, signature, ...call }
    : { type: "INVOKE", version: 1, maxFee, ...account, senderAddress, calldata };
}

/** The transactions of a gateway block. */
export function gatewayTransactions(block: ForeignJson): HashedTransaction[] {
  return records(block["transactions"]).map((json) => {
    const kind = json["type"] === "INVOKE_FUNCTION" ? "INVOKE" : (json["type"] as string);
    const transaction = foreignTransaction(kind, Number(json["version"] ?? 0), json);
    return { hash: number(json["transaction_hash"]), transaction };
  });
}

/** An event in the shape that gateway and JSON-RPC share. */
export function foreignEvent(json: ForeignJson): Event {
  return {
    fromAddress: number(json["from_address"]),
    keys: list(json["keys"]),
    data: list(json["data"]),
  };
}

/** The receipts of a gateway block. */
export function gatewayReceipts(block: ForeignJson): Receipt[] {
  return records(block["transaction_receipts"]).map((json) => {
    const gas = record(record(json["execution_resources"])["total_gas_consumed"]);
    return {
      transactionHash: number(json["transaction_hash"]),
      actualFee: number(json["actual_fee"]),
      feeUnit: "WEI",
      events: records(json["events"]).map(foreignEvent),
      messages: records(json["l2_to_l1_messages"]).map((message): MessageToL1 => ({
        fromAddress: number(message["from_address"]),
        toAddress: number(message["to_address"]),
        payload: list(message["payload"]),
      })),
      status:
        json["execution_status"] === "REVERTED"
          ? { kind: "reverted", reason: json["revert_error"] as string }
          : { kind: "succeeded" },
      gas: {
        l1Gas: number(gas["l1_gas"]),
        l1DataGas: number(gas["l1_data_gas"]),
        l2Gas: number(gas["l2_gas"]),
      },
      daGas: { l1Gas: 0n, l1DataGas: 0n, l2Gas: 0n },
      vmResources: { steps: 0, memoryHoles: 0, builtins: {} },
    };
  });
}

/** The state diff of a gateway state update. */
export function gatewayStateDiff(update: ForeignJson): StateDiff {
  const diff = record(update["state_diff"]);
  const pairs = (value: unknown, key: string, to: string): Map<Felt, Felt> =>
    new Map(records(value).map((item) => [number(item[key]), number(item[to])]));
  return {
    ...EMPTY_STATE_DIFF,
    storageDiffs: new Map(
      Object.entries(record(diff["storage_diffs"])).map(([address, entries]) => [
        BigInt(address),
        pairs(entries, "key", "value"),
      ]),
    ),
    nonces: new Map(
      Object.entries(record(diff["nonces"])).map(([address, nonce]) => [
        BigInt(address),
        number(nonce),
      ]),
    ),
    deployedContracts: pairs(diff["deployed_contracts"], "address", "class_hash"),
    replacedClasses: pairs(diff["replaced_classes"], "address", "class_hash"),
    declaredClasses: pairs(diff["declared_classes"], "class_hash", "compiled_class_hash"),
    deprecatedDeclaredClasses: new Set(list(diff["old_declared_contracts"])),
  };
}
