import type { EntryPointType } from "#protocol/chain/index.ts";
import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CallInfo } from "./info.ts";

/** Request for a call. */
export interface CallRequest {
  /** `undefined` for the class of the called contract. */
  readonly classHash: Felt | undefined;
  readonly codeAddress: Felt | null;
  readonly entryPointType: EntryPointType;
  readonly selector: Felt;
  readonly calldata: Felts;
  readonly contractAddress: Felt;
  readonly callerAddress: Felt;
  readonly callType: CallInfo["callType"];
  readonly initialGas: number;
}

/** Call by a contract to another contract's external entry point. */
export function contractCall(
  callerAddress: Felt,
  contractAddress: Felt,
  selector: Felt,
  calldata: Felts,
  initialGas: number,
): CallRequest {
  return externalCall(
    contractAddress,
    contractAddress,
    selector,
    calldata,
    initialGas,
    callerAddress,
  );
}

/** Call by the protocol to an external entry point. */
export function protocolCall(
  contractAddress: Felt,
  selector: Felt,
  calldata: readonly Felt[],
  initialGas: number,
  callerAddress: Felt = 0n,
): CallRequest {
  return externalCall(null, contractAddress, selector, calldata, initialGas, callerAddress);
}

function externalCall(
  codeAddress: Felt | null,
  contractAddress: Felt,
  selector: Felt,
  calldata: Felts,
  initialGas: number,
  callerAddress: Felt,
): CallRequest {
  return {
    classHash: undefined,
    codeAddress,
    entryPointType: "EXTERNAL",
    selector,
    calldata,
    contractAddress,
    callerAddress,
    callType: "CALL",
    initialGas,
  };
}
