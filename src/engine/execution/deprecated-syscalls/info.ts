import type { Relocatable, VmMemory } from "#engine/cairo/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { forbiddenInValidation } from "../syscall-base/failure.ts";
import { isShownVersion1, shownBlock } from "../syscall-base/info.ts";
import { signedVersionOf } from "../transaction/context.ts";
import type { DeprecatedCallFrame } from "./frame.ts";
import type { DeprecatedSyscall } from "./handler.ts";
import { answer, type DeprecatedReply } from "./reply.ts";

/** Creates a syscall without arguments. */
function query(
  name: SyscallName,
  execute: (frame: DeprecatedCallFrame, memory: VmMemory) => DeprecatedReply,
): DeprecatedSyscall {
  return { name, prepare: (frame, cursor) => () => execute(frame, cursor.memory) };
}

function signatureOf(frame: DeprecatedCallFrame, memory: VmMemory): Relocatable {
  frame.signature ??= memory.addReadOnlySegment(frame.context.transaction.signature);
  return frame.signature;
}

function writeTransactionInfo(
  frame: DeprecatedCallFrame,
  memory: VmMemory,
  version: Felt,
): Relocatable {
  const { transaction } = frame.context;
  const signature = signatureOf(frame, memory);
  return memory.addReadOnlySegment([
    version,
    transaction.senderAddress,
    transaction.maxFee,
    BigInt(transaction.signature.length),
    signature,
    transaction.hash,
    transaction.block.chainId,
    transaction.nonce,
  ]);
}

function transactionInfo(frame: DeprecatedCallFrame, memory: VmMemory): Relocatable {
  const { onlyQuery, signedVersion, block } = frame.context.transaction;
  if (isShownVersion1(frame, block.constants.os.v1BoundAccountsCairo0)) {
    // Written again on each call, as the reference engine does.
    return writeTransactionInfo(frame, memory, signedVersionOf(1, onlyQuery));
  }
  frame.transactionInfo ??= writeTransactionInfo(frame, memory, signedVersion);
  return frame.transactionInfo;
}

/** Syscalls that return information about the block, the call and the transaction. */
export const INFO_SYSCALLS: readonly DeprecatedSyscall[] = [
  query("GetBlockNumber", ({ context }) => answer(BigInt(shownBlock(context).number))),
  query("GetBlockTimestamp", ({ context }) => answer(BigInt(shownBlock(context).timestamp))),
  query("GetCallerAddress", ({ record }) => answer(record.callerAddress)),
  query("GetContractAddress", ({ record }) => answer(record.contractAddress)),
  query("GetSequencerAddress", ({ context }) =>
    context.mode === "validate"
      ? forbiddenInValidation("get_sequencer_address")
      : answer(context.transaction.block.info.sequencerAddress),
  ),
  query("GetTxInfo", (frame, memory) => answer(transactionInfo(frame, memory))),
  query("GetTxSignature", (frame, memory) => {
    const start = signatureOf(frame, memory);
    return answer(BigInt(frame.context.transaction.signature.length), start);
  }),
];
