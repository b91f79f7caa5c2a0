import type { Candidate } from "#api/rpc/index.ts";
import type { Felt, Outlet, Port } from "#base/primitives/index.ts";
import type {
  FromAdmission,
  PostponedChange,
  ReportedRejection,
  ToAdmission,
  ToValidator,
} from "#services/admission/index.ts";
import type { ValidateSlowly } from "./slow-lane.ts";

/** The main thread's ports to the admission thread and to the validator threads. */
export interface AdmissionEnds {
  readonly admission: Port<FromAdmission, ToAdmission>;
  /** Threads that validate submissions before admission gets them; empty when admission validates itself. */
  readonly validators: readonly Outlet<ToValidator>[];
}

/** Callbacks of {@link AdmissionClient}: events of admission, and services that it needs. */
export interface AdmissionEvents {
  readonly validateSlowly: ValidateSlowly;
  /** Whether an account is deployed at an address. */
  readonly hasAccount: (address: Felt) => boolean;
  /** Reports a change of the number of waiting transactions. */
  readonly onSize: (waiting: number) => void;
  /** Reports a refused submission; `code` is the error's name on the wire, or BUSY. */
  readonly onRefused: (code: string) => void;
  /** Reports received transactions that will not be included. */
  readonly onRejected: (rejections: readonly ReportedRejection[]) => void;
  /** Reports a change of the transactions that wait for values of a fork's origin. */
  readonly onPostponed: (change: PostponedChange) => void;
  /** Reports transactions that admission sends to the executor; only called while somebody subscribes. */
  readonly onDispatched: (candidates: readonly Candidate[]) => void;
}
