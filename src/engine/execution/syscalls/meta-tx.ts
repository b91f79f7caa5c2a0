import { transactionHash } from "#protocol/chain/index.ts";
import { feltsOf } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import { EXECUTE_SELECTOR, INVALID_ARGUMENT } from "../call/felts.ts";
import { checkIntegers } from "../call/memory.ts";
import { type CallRequest, contractCall } from "../call/request.ts";
import { forbiddenInValidation } from "../syscall-base/failure.ts";
import { signedVersionOf, type TransactionContext } from "../transaction/context.ts";
import { replyOf } from "./calls.ts";
import type { SyscallHandler } from "./handler.ts";
import { revert } from "./reply.ts";

/**
 * `meta_tx_v0(address, selector, calldata, signature) -> retdata`: calls `__execute__` as in a version 0
 * invoke.
 */
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
        if (context.mode === "validate") return forbiddenInValidation("meta_tx_v0");
        if (selector !== EXECUTE_SELECTOR) return revert(gas, INVALID_ARGUMENT);
        checkIntegers(context, calldata);
        const outer = context.transaction;
        const request = contractCall(0n, contractAddress, selector, calldata, gas);
        const classHash = context.state.classHashAt(contractAddress);
        const pause = (): void => cursor.memory.pause();
        context.transaction = metaContext(outer, request, signature.toArray(), pause);
        const result = frame.innerCall(request);
        context.transaction = outer;
        return replyOf(frame, cursor.memory, result, request, classHash);
      },
    };
  },
};

/** Context visible to the called account: an invoke of version 0 without a fee. */
function metaContext(
  outer: TransactionContext,
  { contractAddress, selector, calldata }: CallRequest,
  signature: readonly Felt[],
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
    signedVersion: signedVersionOf(0, outer.onlyQuery),
    senderAddress: contractAddress,
    nonce: 0n,
    signature,
    v3: null,
    maxFee: 0n,
  };
}
