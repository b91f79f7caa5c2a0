import type { Felts } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { ExecutionContext } from "./context.ts";
import type { CallError, ConstructorError } from "./errors.ts";
import type { CallRecord } from "./record.ts";
import type { CallRequest } from "./request.ts";
import type { TrackedResource } from "./tracked-resource.ts";

/** Result of a call; a panic is a record with `failed` set. */
export type CallResult =
  | { readonly kind: "done"; readonly record: CallRecord }
  | { readonly kind: "error"; readonly error: CallError };

/** Result of a call that failed with an error the caller cannot handle. */
export function failed(error: CallError): CallResult {
  return { kind: "error", error };
}

/** Contract to be deployed. */
export interface DeploymentRequest {
  readonly classHash: Felt;
  readonly contractAddress: Felt;
  /** `null` unless a contract makes the deployment. */
  readonly codeAddress: Felt | null;
  readonly callerAddress: Felt;
  readonly calldata: Felts;
  readonly gas: number;
}

/** Successful deployment, with the record of the constructor call. */
export interface Deployed {
  readonly kind: "done";
  readonly record: CallRecord;
}

/** Result of a deployment. */
export type DeploymentResult =
  Deployed | { readonly kind: "error"; readonly error: ConstructorError };

/** Runs calls; syscalls use it for inner calls. */
export interface CallExecutor {
  /** Like `call`, but a panic becomes an error. */
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
