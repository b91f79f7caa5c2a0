import type { Candidate } from "#api/rpc/index.ts";
import type { Felt, Outlet, Port } from "#base/primitives/index.ts";
import type {
  FromAdmission,
  ReportedRejection,
  ToAdmission,
  ToValidator,
} from "#services/admission/index.ts";
import type { ValidateSlowly } from "./slow-lane.ts";

/** The main thread's ends of the threads that take transactions. */
export interface AdmissionEnds {
  readonly admission: Port<FromAdmission, ToAdmission>;
  /** Threads that validate before admission gets a submission; none: it validates by itself. */
  readonly validators: readonly Outlet<ToValidator>[];
}

/** What the main thread has to know of admission, and what admission asks it. */
export interface AdmissionEvents {
  readonly validateSlowly: ValidateSlowly;
  /** Whether an account stands at an address. */
  readonly hasAccount: (address: Felt) => boolean;
  /** The number of waiting transactions has changed. */
  readonly onSize: (waiting: number) => void;
  /** A submission was refused; `code` is the error's name on the wire, or BUSY. */
  readonly onRefused: (code: string) => void;
  /** Transactions that were received are not going to be included. */
  readonly onRejected: (rejections: readonly ReportedRejection[]) => void;
  /** Transactions go to the executor; told while that is watched. */
  readonly onHanded: (candidates: readonly Candidate[]) => void;
}
