import type { VmMemory } from "#engine/cairo/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { INVALID_ARGUMENT } from "../call/felts.ts";
import { dropResult } from "../call/memory.ts";
import { type CallRequest, contractCall } from "../call/request.ts";
import {
  deployContract,
  deployFromZeroText,
  failedCall,
  isBlockedExecute,
  leavesValidation,
  libraryRequest,
} from "../syscall-base/calls.ts";
import { forbiddenInValidation } from "../syscall-base/failure.ts";
import type { CallFrame, InnerCallResult } from "./frame.ts";
import type { SyscallHandler } from "./handler.ts";
import { ok, revert, type SyscallReply } from "./reply.ts";

/**
 * Converts the result of an inner call to a reply.
 *
 * @param classHash - class that errors name
 */
export function replyOf(
  frame: CallFrame,
  memory: VmMemory,
  result: InnerCallResult,
  request: CallRequest,
  classHash: Felt,
): SyscallReply {
  switch (result.kind) {
    case "ok": {
      const retdata = frame.readOnly(memory, result.record.result);
      dropResult(frame.context, result.record);
      return ok(result.gas, retdata);
    }
    case "revert":
      return result;
    case "fatal":
      return failedCall(request, classHash, result.error);
  }
}

/** `call_contract(address, selector, calldata) -> retdata`. */
const callContract: SyscallHandler = {
  name: "CallContract",
  prepare(frame, cursor) {
    const contractAddress = cursor.key();
    const selector = cursor.felt();
    const calldata = cursor.array();
    const { context, record } = frame;
    return {
      linear: 0,
      run(gas) {
        if (leavesValidation(frame, contractAddress)) {
          return forbiddenInValidation("call_contract");
        }
        if (isBlockedExecute(frame, selector)) return revert(gas, INVALID_ARGUMENT);
        const caller = record.contractAddress;
        const request = contractCall(caller, contractAddress, selector, calldata, gas);
        const classHash = context.state.classHashAt(contractAddress);
        return replyOf(frame, cursor.memory, frame.innerCall(request), request, classHash);
      },
    };
  },
};

/**
 * `library_call(class_hash, selector, calldata) -> retdata`: runs another class's code on the caller's own
 * storage.
 */
const libraryCall: SyscallHandler = {
  name: "LibraryCall",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const selector = cursor.felt();
    const calldata = cursor.array();
    return {
      linear: 0,
      run(gas) {
        const request = libraryRequest(frame.record, classHash, selector, calldata, gas);
        return replyOf(frame, cursor.memory, frame.innerCall(request), request, classHash);
      },
    };
  },
};

/** `deploy(class_hash, salt, calldata, deploy_from_zero) -> (address, retdata)`. */
const deploy: SyscallHandler = {
  name: "Deploy",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const salt = cursor.felt();
    const calldata = cursor.array();
    const fromZero = cursor.felt();
    if (fromZero > 1n) cursor.reject(deployFromZeroText(fromZero));
    return {
      linear: calldata.length,
      run(gas) {
        const { memory } = cursor;
        const deployed = deployContract(frame, memory, classHash, salt, calldata, fromZero, gas);
        if (deployed.kind === "fatal") return deployed;
        const constructor = deployed.record;
        const retdata = frame.readOnly(memory, constructor.result);
        dropResult(frame.context, constructor);
        frame.record.innerCalls.push(constructor);
        const left = gas - Number(constructor.gasConsumed);
        return ok(left, [constructor.contractAddress, ...retdata]);
      },
    };
  },
};

/** Syscalls that run other code. */
export const CALL_SYSCALLS: readonly SyscallHandler[] = [callContract, libraryCall, deploy];
