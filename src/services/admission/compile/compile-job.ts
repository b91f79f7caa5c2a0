import type { Felt } from "#base/primitives/index.ts";
import type { Party } from "../submission/fair-queue.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompiledClass } from "./compiler-port.ts";
import type { Refusal } from "./refusals.ts";

/** Outcome of a compilation request. */
export type CompileOutcome =
  | ({ readonly kind: "compiled" } & CompiledClass)
  | Refusal
  | {
      readonly kind: "busy";
      /** Why the class was not compiled, for the client; one clause without a full stop. */
      readonly reason: string;
      readonly retryAfterSeconds: number;
    };

/** A request to compile a class on behalf of a sender. */
export interface CompileRequest {
  readonly sender: Felt;
  /**
   * Address of the client. All senders of an address share one quota of compiler time, except proven ones.
   * When absent, the sender has a separate quota.
   */
  readonly client?: string;
  /** Class hash; results are shared and cached by it. */
  readonly classHash: Felt;
  /** The Sierra class as encoded by `encodeContractClass`, within the size limits. */
  readonly classBytes: Uint8Array;
  /**
   * Whether the sender's intent is unproven, as for an estimate. Without this flag, the signature, nonce and
   * balance of a declaration have been checked.
   */
  readonly isTrial?: boolean;
  /** Grade of the sender by its earlier compilations; default: no earlier compilations. */
  readonly grade?: Grade;
  /** Aborted when the requester stops waiting; the outcome is then `busy`. */
  readonly signal?: AbortSignal;
}

/** Callback that receives the outcome of a compile request. */
export type Answer = (outcome: CompileOutcome) => void;

/** A class that is queued or being compiled, shared by all its requests. */
export interface Job {
  readonly classHash: Felt;
  readonly classBytes: Uint8Array;
  /** While queued: one queue place per party, with the requests waiting for it. */
  readonly places: Map<Party, Place>;
  /** While running: all pending requests. */
  readonly answers: Answer[];
  isWaiting: boolean;
}

/** A party's position in the compile queue for one class, with the requests that wait for it. */
export interface Place {
  readonly job: Job;
  readonly key: Party;
  readonly grade: Grade;
  readonly answers: Answer[];
}

/**
 * Number added to the class hash and the sender of unpaid trials, such as estimates of
 * declarations, to keep their queue entries separate from paid ones.
 */
export const TRIAL_KEY = 1n << 256n;

/** Returns the party whose quota of compiler time a request counts against. */
export function partyOf({ sender, client, grade }: CompileRequest): Party {
  return client === undefined || grade === "proven" ? sender : client;
}

/**
 * Returns a party's key in the compile queue for its unpaid work (such as estimates), which is compiled after
 * all paid work.
 */
export function lastOf(party: Party): Party {
  return typeof party === "string" ? `last ${party}` : party + TRIAL_KEY;
}

/** Removes a callback from those of a job. @returns whether it was one of them */
export function take(answers: Answer[], answer: Answer): boolean {
  const at = answers.indexOf(answer);
  if (at !== -1) answers.splice(at, 1);
  return at !== -1;
}
