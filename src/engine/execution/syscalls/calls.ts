import type { VmMemory } from "#engine/cairo/index.ts";
import { contractAddress as deriveAddress, transactionHash } from "#protocol/chain/index.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import { EXECUTE_SELECTOR, INVALID_ARGUMENT } from "../call/felts.ts";
import { checkIntegers, dropResult } from "../call/memory.ts";
import type { CallRequest } from "../call/request.ts";
import type { TransactionContext } from "../transaction/context.ts";
import type { CallFrame, InnerCallResult } from "./frame.ts";
import {
  forbiddenInValidate,
  ok,
  revert,
  type SyscallHandler,
  type SyscallReply,
} from "./reply.ts";

/** The reply for an inner call; a fatal error gets the frame that names the call. */
function replyOf(
  frame: CallFrame,
  memory: VmMemory,
  result: InnerCallResult,
  named: { readonly classHash: bigint; readonly request: CallRequest },
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
      return {
        kind: "fatal",
        error: {
          kind: "call",
          isLibraryCall: named.request.callType === "DELEGATE",
          contractAddress: named.request.contractAddress,
          classHash: named.classHash,
          selector: named.request.selector,
          error: result.error,
        },
      };
  }
}

/** `call_contract(address, selector, calldata) -> retdata`. */
export const callContract: SyscallHandler = {
  name: "CallContract",
  prepare(frame, cursor) {
    const contractAddress = cursor.key();
    const selector = cursor.felt();
    const calldata = cursor.array();
    const { context, record } = frame;
    return {
      linear: 0,
      run(gas) {
        if (context.mode === "validate" && contractAddress !== record.contractAddress) {
          return forbiddenInValidate("call_contract");
        }
        const { flags } = context.transaction.block.constants;
        if (flags.blockDirectExecuteCall && selector === EXECUTE_SELECTOR) {
          return revert(gas, INVALID_ARGUMENT);
        }
        const request: CallRequest = {
          classHash: undefined,
          codeAddress: contractAddress,
          entryPointType: "EXTERNAL",
          selector,
          calldata,
          contractAddress,
          callerAddress: record.contractAddress,
          callType: "CALL",
          initialGas: gas,
        };
        const classHash = context.state.classHashAt(contractAddress);
        const result = frame.innerCall(request);
        return replyOf(frame, cursor.memory, result, { classHash, request });
      },
    };
  },
};

/** `library_call(class_hash, selector, calldata) -> retdata`: another class's code on own storage. */
export const libraryCall: SyscallHandler = {
  name: "LibraryCall",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const selector = cursor.felt();
    const calldata = cursor.array();
    const { record } = frame;
    return {
      linear: 0,
      run(gas) {
        const request: CallRequest = {
          classHash,
          codeAddress: null,
          entryPointType: "EXTERNAL",
          selector,
          calldata,
          contractAddress: record.contractAddress,
          callerAddress: record.callerAddress,
          callType: "DELEGATE",
          initialGas: gas,
        };
        return replyOf(frame, cursor.memory, frame.innerCall(request), { classHash, request });
      },
    };
  },
};

/** `deploy(class_hash, salt, calldata, deploy_from_zero) -> (address, retdata)`. */
export const deploy: SyscallHandler = {
  name: "Deploy",
  prepare(frame, cursor) {
    const classHash = cursor.felt();
    const salt = cursor.felt();
    const calldata = cursor.array();
    const fromZero = cursor.felt();
    if (fromZero > 1n) {
      cursor.reject(
        `Invalid syscall input: ${fromZero}; ` +
          "The deploy_from_zero field in the deploy system call must be 0 or 1.",
      );
    }
    const { context, record } = frame;
    return {
      linear: calldata.length,
      run(gas) {
        record.count("Deploy", 0, calldata.length);
        const { flags } = context.transaction.block.constants;
        if (flags.disableDeployInValidationMode && context.mode === "validate") {
          return forbiddenInValidate("deploy");
        }
        const deployer = fromZero === 1n ? 0n : record.contractAddress;
        checkIntegers(context, calldata);
        const address = deriveAddress(deployer, salt, classHash, calldata.toArray(), () =>
          cursor.memory.pause(),
        );
        const result = frame.executor.deploy(
          context,
          {
            classHash,
            contractAddress: address,
            codeAddress: address,
            callerAddress: record.contractAddress,
            calldata,
            gas,
          },
          record.trackedResource,
        );
        if (result.kind === "error") {
          return { kind: "fatal", error: { kind: "constructor", error: result.error } };
        }
        const constructor = result.record;
        const retdata = frame.readOnly(cursor.memory, constructor.result);
        dropResult(context, constructor);
        record.innerCalls.push(constructor);
        return ok(gas - Number(constructor.gasConsumed), [address, ...retdata]);
      },
    };
  },
};

/** `meta_tx_v0(address, selector, calldata, signature) -> retdata`: `__execute__` as if by a v0 invoke. */
export const metaTxV0: SyscallHandler = {
  name: "MetaTxV0",
  prepare(frame, cursor) {
    const contractAddress = cursor.key();
    const selector = cursor.felt();
    const calldata = cursor.array();
    const signature = cursor.array();
    const { context, record } = frame;
    return {
      linear: calldata.length,
      run(gas) {
        record.count("MetaTxV0", 0, calldata.length);
        if (context.mode === "validate") return forbiddenInValidate("meta_tx_v0");
        if (selector !== EXECUTE_SELECTOR) return revert(gas, INVALID_ARGUMENT);
        checkIntegers(context, calldata);
        const outer = context.transaction;
        const request: CallRequest = {
          classHash: undefined,
          codeAddress: contractAddress,
          entryPointType: "EXTERNAL",
          selector,
          calldata,
          contractAddress,
          callerAddress: 0n,
          callType: "CALL",
          initialGas: gas,
        };
        const classHash = context.state.classHashAt(contractAddress);
        const pause = (): void => cursor.memory.pause();
        context.transaction = metaContext(outer, request, signature.toArray(), pause);
        const result = frame.innerCall(request);
        context.transaction = outer;
        return replyOf(frame, cursor.memory, result, { classHash, request });
      },
    };
  },
};

/** The context that the called account sees: an invoke of version 0 without fee. */
function metaContext(
  outer: TransactionContext,
  { contractAddress, selector, calldata }: CallRequest,
  signature: readonly bigint[],
  pause: () => void,
): TransactionContext {
  const hash = transactionHash(
    {
      type: "INVOKE",
      version: 0,
      maxFee: 0n,
      signature,
      contractAddress,
      entryPointSelector: selector,
      calldata: feltsOf(calldata),
    },
    outer.block.chainId,
    { query: outer.onlyQuery, pause },
  );
  return {
    ...outer,
    hash,
    version: 0,
    signedVersion: outer.onlyQuery ? 1n << 128n : 0n,
    senderAddress: contractAddress,
    nonce: 0n,
    signature,
    v3: null,
    maxFee: 0n,
  };
}
