import type { MaybeRelocatable, Relocatable, VmMemory } from "#engine/cairo/index.ts";
import type { FeltBlock } from "#kernels/vm/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { validationBlock } from "../call/context.ts";
import type { LegacyCallFrame } from "./frame.ts";
import { answer, forbiddenInValidation, type LegacyReply, type LegacySyscall } from "./reply.ts";

const QUERY_BASE = 1n << 128n;

/** Memory for structs: their members can be addresses. */
interface StructMemory {
  addReadOnlySegment(values: readonly MaybeRelocatable[] | FeltBlock): Relocatable;
}

/** A syscall without arguments. */
function query(
  name: SyscallName,
  execute: (frame: LegacyCallFrame, memory: VmMemory) => LegacyReply,
): LegacySyscall {
  return { name, prepare: (frame, cursor) => () => execute(frame, cursor.memory) };
}

/** Number and timestamp as the phase sees them: validation sees rounded values. */
function blockOf({ context }: LegacyCallFrame): {
  readonly number: number;
  readonly timestamp: number;
} {
  const { block } = context.transaction;
  return context.mode === "execute" ? block.info : validationBlock(block);
}

function signatureOf(frame: LegacyCallFrame, memory: VmMemory): Relocatable {
  frame.signature ??= memory.addReadOnlySegment(frame.context.transaction.signature);
  return frame.signature;
}

/** Old accounts that only know version 1 are shown it for version 3 with a small tip (0.13.5). */
function seesVersion1({ context, record }: LegacyCallFrame): boolean {
  const { version, v3, block } = context.transaction;
  const { v1BoundAccountsCairo0, v1BoundAccountsMaxTip } = block.constants.os;
  return (
    version === 3 &&
    v3 !== null &&
    v1BoundAccountsCairo0.has(record.classHash) &&
    v3.tip <= v1BoundAccountsMaxTip
  );
}

function writeTransactionInfo(
  frame: LegacyCallFrame,
  memory: VmMemory,
  version: Felt,
): Relocatable {
  const { transaction } = frame.context;
  const signature = signatureOf(frame, memory);
  const structs: StructMemory = memory;
  return structs.addReadOnlySegment([
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

function transactionInfo(frame: LegacyCallFrame, memory: VmMemory): Relocatable {
  const { onlyQuery, signedVersion } = frame.context.transaction;
  if (seesVersion1(frame)) {
    // Written anew each time, as the reference engine does.
    return writeTransactionInfo(frame, memory, 1n + (onlyQuery ? QUERY_BASE : 0n));
  }
  frame.transactionInfo ??= writeTransactionInfo(frame, memory, signedVersion);
  return frame.transactionInfo;
}

/** Syscalls about the block, the call and the transaction. */
export const INFO_SYSCALLS: readonly LegacySyscall[] = [
  query("GetBlockNumber", (frame) => answer(BigInt(blockOf(frame).number))),
  query("GetBlockTimestamp", (frame) => answer(BigInt(blockOf(frame).timestamp))),
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
