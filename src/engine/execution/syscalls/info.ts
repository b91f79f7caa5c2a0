import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import { type Felt, feltFromShortString } from "#base/primitives/index.ts";
import { BLOCK_NUMBER_OUT_OF_RANGE } from "../call/felts.ts";
import { forbiddenInValidation, invalidInputText } from "../syscall-base/failure.ts";
import { isShownVersion1, shownBlock } from "../syscall-base/info.ts";
import { signedVersionOf, type V3Context } from "../transaction/context.ts";
import type { CallFrame } from "./frame.ts";
import type { SyscallHandler } from "./handler.ts";
import { ok, revert } from "./reply.ts";

const L1_GAS = feltFromShortString("L1_GAS");
const L2_GAS = feltFromShortString("L2_GAS");
const L1_DATA = feltFromShortString("L1_DATA");

/** Cells in the info of older transactions for the fields of version 3. */
const NO_V3_FIELDS: readonly Felt[] = Array.from({ length: 11 }, () => 0n);

/** `get_execution_info() -> pointer` to the execution info struct of version 3. */
const getExecutionInfo: SyscallHandler = {
  name: "GetExecutionInfo",
  prepare(frame, cursor) {
    return {
      linear: 0,
      run(gas) {
        frame.executionInfo ??= writeExecutionInfo(frame, cursor.memory);
        return ok(gas, [frame.executionInfo]);
      },
    };
  },
};

/** `get_block_hash(number) -> hash`, for blocks at least ten behind the current one. */
const getBlockHash: SyscallHandler = {
  name: "GetBlockHash",
  prepare({ context, record }, cursor) {
    const requested = cursor.felt();
    if (requested >= 1n << 64n) {
      cursor.reject(invalidInputText(requested, "Block number must fit within 64 bits."));
    }
    return {
      linear: 0,
      run(gas) {
        const { info, constants } = context.transaction.block;
        const newest = BigInt(info.number - constants.os.storedBlockHashBuffer);
        if (requested > newest) {
          // The gateway validates on an older block than the one the sequencer builds. If validation could
          // see the difference, it could make admitted transactions fail.
          return context.mode === "validate"
            ? forbiddenInValidation("get_block_hash on recent blocks")
            : revert(gas, BLOCK_NUMBER_OUT_OF_RANGE);
        }
        const hash = context.state.storageAt(constants.os.contractAddresses.blockHash, requested);
        record.addBlockHashRead(Number(requested), hash);
        return ok(gas, [hash]);
      },
    };
  },
};

function writeExecutionInfo(frame: CallFrame, memory: VmMemory): Relocatable {
  const { record } = frame;
  const blockInfo = memory.addReadOnlySegment(blockInfoOf(frame));
  const transactionInfo = writeTransactionInfo(frame, memory);
  return memory.addReadOnlySegment([
    blockInfo,
    transactionInfo,
    record.callerAddress,
    record.contractAddress,
    record.entryPointSelector,
  ]);
}

/** Number, timestamp and sequencer of the block; validation sees 0 as the sequencer. */
function blockInfoOf({ context }: CallFrame): readonly Felt[] {
  const { number, timestamp } = shownBlock(context);
  const { sequencerAddress } = context.transaction.block.info;
  const sequencer = context.mode === "execute" ? sequencerAddress : 0n;
  return [BigInt(number), BigInt(timestamp), sequencer];
}

function writeTransactionInfo(frame: CallFrame, memory: VmMemory): Relocatable {
  const { transaction } = frame.context;
  const { v3 } = transaction;
  const values: MaybeRelocatable[] = [
    shownVersion(frame),
    transaction.senderAddress,
    transaction.maxFee,
    ...frame.readOnly(memory, transaction.signature),
    transaction.hash,
    transaction.block.chainId,
    transaction.nonce,
  ];
  if (v3 === null) values.push(...NO_V3_FIELDS);
  else {
    values.push(
      ...frame.readOnly(memory, boundsOf(frame, v3)),
      v3.tip,
      ...frame.readOnly(memory, v3.paymasterData),
      BigInt(v3.nonceDataAvailabilityMode),
      BigInt(v3.feeDataAvailabilityMode),
      ...frame.readOnly(memory, v3.accountDeploymentData),
      ...frame.readOnly(memory, v3.proofFacts),
    );
  }
  return memory.addReadOnlySegment(values);
}

function shownVersion(frame: CallFrame): Felt {
  const { onlyQuery, signedVersion, block } = frame.context.transaction;
  return isShownVersion1(frame, block.constants.os.v1BoundAccountsCairo1)
    ? signedVersionOf(1, onlyQuery)
    : signedVersion;
}

/** Resource bounds as triples of name, amount and price; some accounts expect only two (0.14.0). */
function boundsOf({ context, record }: CallFrame, { bounds }: V3Context): readonly Felt[] {
  const { version, block } = context.transaction;
  const { l1Gas, l2Gas, l1DataGas } = bounds;
  const shown = l1DataGas === null ? { maxAmount: 0n, maxPricePerUnit: 0n } : l2Gas;
  const values = [
    L1_GAS,
    l1Gas.maxAmount,
    l1Gas.maxPricePerUnit,
    L2_GAS,
    shown.maxAmount,
    shown.maxPricePerUnit,
  ];
  const isExcluded = version === 3 && block.constants.os.dataGasAccounts.has(record.classHash);
  if (l1DataGas !== null && !isExcluded) {
    values.push(L1_DATA, l1DataGas.maxAmount, l1DataGas.maxPricePerUnit);
  }
  return values;
}

/** Syscalls that return information about the block, the call and the transaction. */
export const INFO_SYSCALLS: readonly SyscallHandler[] = [getExecutionInfo, getBlockHash];
