import type { VmMemory } from "#engine/cairo/index.ts";
import { contractAddress as deriveAddress, type EntryPointType } from "#protocol/chain/index.ts";
import type { FeltBlock } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { SyscallError } from "../call/errors.ts";
import type { Deployed } from "../call/executor.ts";
import { EXECUTE_SELECTOR } from "../call/felts.ts";
import { checkIntegers } from "../call/memory.ts";
import type { CallRecord } from "../call/record.ts";
import type { CallRequest } from "../call/request.ts";
import { type FatalReply, forbiddenInValidation, invalidInputText } from "./failure.ts";
import type { SyscallFrame } from "./frame.ts";

/** Whether a call leaves the contract under validation, which is forbidden. */
export function leavesValidation(
  { context, record }: SyscallFrame,
  contractAddress: Felt,
): boolean {
  return context.mode === "validate" && contractAddress !== record.contractAddress;
}

/** Whether this is a call of `__execute__` and the protocol version forbids contracts to make it. */
export function isBlockedExecute({ context }: SyscallFrame, selector: Felt): boolean {
  const { flags } = context.transaction.block.constants;
  return flags.blockDirectExecuteCall && selector === EXECUTE_SELECTOR;
}

/** Request that runs another class's code on the storage of the running contract, with its caller. */
export function libraryRequest(
  record: CallRecord,
  classHash: Felt,
  selector: Felt,
  calldata: FeltBlock,
  initialGas: number,
  entryPointType: EntryPointType = "EXTERNAL",
  codeAddress: Felt | null = null,
): CallRequest {
  return {
    classHash,
    codeAddress,
    entryPointType,
    selector,
    calldata,
    contractAddress: record.contractAddress,
    callerAddress: record.callerAddress,
    callType: "DELEGATE",
    initialGas,
  };
}

/** Ends the transaction after a failed inner call, adding the frame of that call. */
export function failedCall(request: CallRequest, classHash: Felt, error: SyscallError): FatalReply {
  return {
    kind: "fatal",
    error: {
      kind: "call",
      isLibraryCall: request.callType === "DELEGATE",
      contractAddress: request.contractAddress,
      classHash,
      selector: request.selector,
      error,
    },
  };
}

/** Error text for the last argument of `deploy`. */
export function deployFromZeroText(value: Felt): string {
  return invalidInputText(
    value,
    "The deploy_from_zero field in the deploy system call must be 0 or 1.",
  );
}

/**
 * Deploys a class at the address derived from the request and runs its constructor.
 *
 * @param fromZero - 1 for an address that does not depend on the deployer, else 0
 * @param gas - Sierra gas that the constructor may use
 */
export function deployContract(
  { context, record, executor }: SyscallFrame,
  memory: VmMemory,
  classHash: Felt,
  salt: Felt,
  calldata: FeltBlock,
  fromZero: Felt,
  gas: number,
): Deployed | FatalReply {
  const { flags } = context.transaction.block.constants;
  if (flags.disableDeployInValidationMode && context.mode === "validate") {
    return forbiddenInValidation("deploy");
  }
  record.count("Deploy", 0, calldata.length);
  const deployer = fromZero === 1n ? 0n : record.contractAddress;
  checkIntegers(context, calldata);
  const contractAddress = deriveAddress(deployer, salt, classHash, calldata.toArray(), () =>
    memory.pause(),
  );
  const result = executor.deploy(
    context,
    {
      classHash,
      contractAddress,
      codeAddress: contractAddress,
      callerAddress: record.contractAddress,
      calldata,
      gas,
    },
    record.trackedResource,
  );
  return result.kind === "done"
    ? result
    : { kind: "fatal", error: { kind: "constructor", error: result.error } };
}
