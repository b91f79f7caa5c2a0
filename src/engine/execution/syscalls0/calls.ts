import { contractAddress as deriveAddress, type EntryPointType } from "#protocol/chain/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { FeltBlock } from "#kernels/vm/index.ts";
import { EXECUTE_SELECTOR } from "../call/felts.ts";
import { checkIntegers, dropResult } from "../call/memory.ts";
import type { LegacyCursor } from "./cursor.ts";
import type { LegacyCallFrame } from "./frame.ts";
import {
  abort,
  answer,
  forbiddenInValidation,
  type LegacyReply,
  type LegacySyscall,
} from "./reply.ts";

/** `call_contract(address, selector, calldata) -> retdata`. */
const callContract: LegacySyscall = {
  name: "CallContract",
  prepare(frame, cursor) {
    const contractAddress = cursor.key();
    const selector = cursor.felt();
    const calldata = cursor.sizedArray();
    return () => {
      const { context, record } = frame;
      const classHash = context.state.classHashAt(contractAddress);
      if (context.mode === "validate" && contractAddress !== record.contractAddress) {
        return forbiddenInValidation("call_contract");
      }
      const { flags } = context.transaction.block.constants;
      if (flags.blockDirectExecuteCall && selector === EXECUTE_SELECTOR) {
        return abort("Calling `__execute__` directly is not allowed.");
      }
      return frame.innerCall(
        cursor.memory,
        {
          classHash: undefined,
          codeAddress: contractAddress,
          entryPointType: "EXTERNAL",
          selector,
          calldata,
          contractAddress,
          callerAddress: record.contractAddress,
          callType: "CALL",
          initialGas: context.numbers.unlimitedGas,
        },
        classHash,
      );
    };
  },
};

/** What a library call runs, with own storage and caller. */
interface LibraryRequest {
  readonly classHash: Felt;
  readonly codeAddress: Felt | null;
  readonly entryPointType: EntryPointType;
  readonly selector: Felt;
  readonly calldata: FeltBlock;
}

function runLibraryCall(
  frame: LegacyCallFrame,
  cursor: LegacyCursor,
  request: LibraryRequest,
): LegacyReply {
  const { record, context } = frame;
  return frame.innerCall(
    cursor.memory,
    {
      ...request,
      contractAddress: record.contractAddress,
      callerAddress: record.callerAddress,
      callType: "DELEGATE",
      initialGas: context.numbers.unlimitedGas,
    },
    request.classHash,
  );
}

/** `library_call(class_hash, selector, calldata) -> retdata`. */
function libraryCall(name: SyscallName, entryPointType: EntryPointType): LegacySyscall {
  return {
    name,
    prepare(frame, cursor) {
      const classHash = cursor.felt();
      const selector = cursor.felt();
      const calldata = cursor.sizedArray();
      const request = { classHash, codeAddress: null, entryPointType, selector, calldata };
      return () => runLibraryCall(frame, cursor, request);
    },
  };
}

/** `delegate_call(address, selector, calldata) -> retdata`: the class of another contract. */
function delegateCall(name: SyscallName, entryPointType: EntryPointType): LegacySyscall {
  return {
    name,
    prepare(frame, cursor) {
      const codeAddress = cursor.key();
      const selector = cursor.felt();
      const calldata = cursor.sizedArray();
      return () => {
        const classHash = frame.context.state.classHashAt(codeAddress);
        const request = { classHash, codeAddress, entryPointType, selector, calldata };
        return runLibraryCall(frame, cursor, request);
      };
    },
  };
}

/** `deploy(class_hash, salt, calldata, deploy_from_zero) -> (address, 0, 0)`. */
const deploy: LegacySyscall = {
  name: "Deploy",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const salt = cursor.felt();
    const calldata = cursor.sizedArray();
    const fromZero = cursor.felt();
    if (fromZero > 1n) {
      cursor.reject(
        `Invalid syscall input: 0x${fromZero.toString(16)}; ` +
          "The deploy_from_zero field in the deploy system call must be 0 or 1.",
      );
    }
    return () => {
      const { context, record } = frame;
      const { flags } = context.transaction.block.constants;
      if (flags.disableDeployInValidationMode && context.mode === "validate") {
        return forbiddenInValidation("deploy");
      }
      const deployer = fromZero === 1n ? 0n : record.contractAddress;
      checkIntegers(context, calldata);
      const address = deriveAddress(deployer, salt, classHash, calldata.toArray(), () =>
        cursor.memory.pause(),
      );
      record.count("Deploy", 0, calldata.length);
      const result = frame.executor.deploy(
        context,
        {
          classHash,
          contractAddress: address,
          codeAddress: address,
          callerAddress: record.contractAddress,
          calldata,
          gas: context.numbers.unlimitedGas,
        },
        record.trackedResource,
      );
      if (result.kind === "error") {
        return { kind: "fatal", error: { kind: "constructor", error: result.error } };
      }
      dropResult(context, result.record);
      record.innerCalls.push(result.record);
      return answer(address, 0n, 0n);
    };
  },
};

/** Syscalls that run other code. */
export const CALL_SYSCALLS: readonly LegacySyscall[] = [
  callContract,
  libraryCall("LibraryCall", "EXTERNAL"),
  libraryCall("LibraryCallL1Handler", "L1_HANDLER"),
  delegateCall("DelegateCall", "EXTERNAL"),
  delegateCall("DelegateL1Handler", "L1_HANDLER"),
  deploy,
];
