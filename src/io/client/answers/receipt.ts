import {
  array,
  type Decoder,
  ethAddress,
  felt,
  bigInteger,
  literal,
  memberPath,
  object,
  text,
  u128Hex,
} from "#base/codec/index.ts";
import { DecodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { Event, FeeUnit, MessageToL1, Receipt } from "#protocol/chain/index.ts";

/** Receipt reported by a node: the members of `Receipt` that JSON-RPC exposes. */
export interface RemoteReceipt extends Pick<
  Receipt,
  "transactionHash" | "actualFee" | "feeUnit" | "events" | "messages" | "status" | "gas"
> {
  readonly type: string;
  /** TXN_FINALITY_STATUS; not validated, the caller compares it with the block's status. */
  readonly finality: string;
  /** Address of the deployed contract; omitted for other transactions. */
  readonly contractAddress?: Felt;
  /** Hash of the message that an L1 handler consumed, 256 bits; omitted for other transactions. */
  readonly messageHash?: bigint;
}

const MAX_GAS = (1n << 64n) - 1n;
const gas = bigInteger(0n, MAX_GAS);

const event = object({ from_address: felt, keys: array(felt), data: array(felt) });
const message = object({ from_address: felt, to_address: ethAddress, payload: array(felt) });

const bits256: Decoder<bigint> = {
  describe: "256-bit number (0x hex)",
  decode(value, path) {
    if (typeof value === "string" && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
    throw new DecodeError(path, bits256.describe);
  },
};

const members = object(
  {
    type: text,
    finality_status: text,
    transaction_hash: felt,
    actual_fee: object({ amount: u128Hex, unit: literal("WEI", "FRI") }),
    messages_sent: array(message),
    events: array(event),
    execution_resources: object({ l1_gas: gas, l1_data_gas: gas, l2_gas: gas }),
    execution_status: literal("SUCCEEDED", "REVERTED"),
  },
  { revert_reason: text, contract_address: felt, message_hash: bits256 },
);

/** Decodes TXN_RECEIPT. */
export const remoteReceipt: Decoder<RemoteReceipt> = {
  describe: members.describe,
  decode(value, path) {
    const read = members.decode(value, path);
    const { contract_address, message_hash, execution_resources: used } = read;
    return {
      type: read.type,
      finality: read.finality_status,
      transactionHash: read.transaction_hash,
      actualFee: read.actual_fee.amount,
      feeUnit: read.actual_fee.unit as FeeUnit,
      events: read.events.map(({ from_address, keys, data }): Event => ({
        fromAddress: from_address,
        keys,
        data,
      })),
      messages: read.messages_sent.map(({ from_address, to_address, payload }): MessageToL1 => ({
        fromAddress: from_address,
        toAddress: to_address,
        payload,
      })),
      status: statusOf(read.execution_status, read.revert_reason, path),
      gas: { l1Gas: used.l1_gas, l1DataGas: used.l1_data_gas, l2Gas: used.l2_gas },
      ...(contract_address === undefined ? {} : { contractAddress: contract_address }),
      ...(message_hash === undefined ? {} : { messageHash: message_hash }),
    };
  },
};

function statusOf(
  status: string | number | boolean | null,
  reason: string | undefined,
  path: string,
): Receipt["status"] {
  if (status === "SUCCEEDED") return { kind: "succeeded" };
  if (reason === undefined) {
    throw new DecodeError(memberPath(path, "revert_reason"), "text (it is missing)");
  }
  return { kind: "reverted", reason };
}
