import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ExecutionContext } from "./context.ts";
import type { CallError, ConstructorError } from "./errors.ts";
import type { CallRecord } from "./record.ts";
import type { CallRequest } from "./request.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** How a call ended; a panic is a record with `failed` set. */
export type CallResult =
  | { readonly kind: "done"; readonly record: CallRecord }
  | { readonly kind: "error"; readonly error: CallError };

/** The end of a call that nobody can handle. */
export function failed(error: CallError): CallResult {
  return { kind: "error", error };
}

/** A contract to be deployed. */
export interface DeploymentRequest {
  readonly classHash: Felt;
  readonly contractAddress: Felt;
  /** Set for deployments by a contract. */
  readonly codeAddress: Felt | null;
  readonly callerAddress: Felt;
  readonly calldata: Felts;
  readonly gas: number;
}

/** A deployment that went well, with the call of the constructor. */
export interface Deployed {
  readonly kind: "done";
  readonly record: CallRecord;
}

/** How a deployment ended. */
export type DeploymentResult =
  Deployed | { readonly kind: "error"; readonly error: ConstructorError };

/** Runs calls; syscalls use it for inner calls. */
export interface CallExecutor {
  /** As `call`, but a panic is an error. */
  strictCall(
    context: ExecutionContext,
    request: CallRequest,
    parentResource: TrackedResource | null,
  ): CallResult;
  call(
    context: ExecutionContext,
    request: CallRequest,
    parentResource: TrackedResource | null,
  ): CallResult;
  deploy(
    context: ExecutionContext,
    request: DeploymentRequest,
    parentResource: TrackedResource | null,
  ): DeploymentResult;
}
