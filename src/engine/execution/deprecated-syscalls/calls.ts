import type { EntryPointType } from "#protocol/chain/index.ts";
import type { SyscallName } from "#protocol/versions/index.ts";
import { dropResult } from "../call/memory.ts";
import { contractCall } from "../call/request.ts";
import {
  deployContract,
  deployFromZeroText,
  isBlockedExecute,
  leavesValidation,
  libraryRequest,
} from "../syscall-base/calls.ts";
import { fatal, forbiddenInValidation } from "../syscall-base/failure.ts";
import type { DeprecatedSyscall } from "./handler.ts";
import { answer } from "./reply.ts";

/** `call_contract(address, selector, calldata) -> retdata`. */
const callContract: DeprecatedSyscall = {
  name: "CallContract",
  prepare(frame, cursor) {
    const contractAddress = cursor.key();
    const selector = cursor.felt();
    const calldata = cursor.sizedArray();
    return () => {
      const { context, record } = frame;
      const classHash = context.state.classHashAt(contractAddress);
      if (leavesValidation(frame, contractAddress)) return forbiddenInValidation("call_contract");
      if (isBlockedExecute(frame, selector)) {
        return fatal("Calling `__execute__` directly is not allowed.");
      }
      const { unlimitedGas } = context.numbers;
      const caller = record.contractAddress;
      const request = contractCall(caller, contractAddress, selector, calldata, unlimitedGas);
      return frame.innerCall(cursor.memory, request, classHash);
    };
  },
};

/** `library_call(class_hash, selector, calldata) -> retdata`. */
function libraryCall(name: SyscallName, type: EntryPointType): DeprecatedSyscall {
  return {
    name,
    prepare(frame, cursor) {
      const classHash = cursor.felt();
      const selector = cursor.felt();
      const calldata = cursor.sizedArray();
      return () => {
        const { unlimitedGas } = frame.context.numbers;
        return frame.innerCall(
          cursor.memory,
          libraryRequest(frame.record, classHash, selector, calldata, unlimitedGas, type),
          classHash,
        );
      };
    },
  };
}

/** `delegate_call(address, selector, calldata) -> retdata`: runs the class of another contract. */
function delegateCall(name: SyscallName, type: EntryPointType): DeprecatedSyscall {
  return {
    name,
    prepare(frame, cursor) {
      const codeAddress = cursor.key();
      const selector = cursor.felt();
      const calldata = cursor.sizedArray();
      return () => {
        const { state, numbers } = frame.context;
        const classHash = state.classHashAt(codeAddress);
        const gas = numbers.unlimitedGas;
        return frame.innerCall(
          cursor.memory,
          libraryRequest(frame.record, classHash, selector, calldata, gas, type, codeAddress),
          classHash,
        );
      };
    },
  };
}

/** `deploy(class_hash, salt, calldata, deploy_from_zero) -> (address, 0, 0)`. */
const deploy: DeprecatedSyscall = {
  name: "Deploy",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const salt = cursor.felt();
    const calldata = cursor.sizedArray();
    const fromZero = cursor.felt();
    if (fromZero > 1n) cursor.reject(deployFromZeroText(fromZero));
    return () => {
      const gas = frame.context.numbers.unlimitedGas;
      const { memory } = cursor;
      const deployed = deployContract(frame, memory, classHash, salt, calldata, fromZero, gas);
      if (deployed.kind === "fatal") return deployed;
      const constructor = deployed.record;
      dropResult(frame.context, constructor);
      frame.record.innerCalls.push(constructor);
      return answer(constructor.contractAddress, 0n, 0n);
    };
  },
};

/** Syscalls that run other code. */
export const CALL_SYSCALLS: readonly DeprecatedSyscall[] = [
  callContract,
  libraryCall("LibraryCall", "EXTERNAL"),
  libraryCall("LibraryCallL1Handler", "L1_HANDLER"),
  delegateCall("DelegateCall", "EXTERNAL"),
  delegateCall("DelegateL1Handler", "L1_HANDLER"),
  deploy,
];
