import type { Felt } from "#base/primitives/index.ts";
import type { Party } from "../submission/fair-queue.ts";
import type { Grade } from "../submission/sender-grades.ts";
import type { CompiledClass } from "./compiler-port.ts";
import type { Refusal } from "./refusals.ts";

/** What became of a request to compile a class. */
export type CompileOutcome =
  | ({ readonly kind: "compiled" } & CompiledClass)
  | Refusal
  | {
      readonly kind: "busy";
      /** Why the class was not compiled, for the client; one clause without a full stop. */
      readonly reason: string;
      readonly retryAfterSeconds: number;
    };

/** A class to compile in the name of a sender. */
export interface CompileRequest {
  readonly sender: Felt;
  /**
   * Address of the client: all senders of an address have one share of the time, save proven ones. Absent: the
   * sender has a share of its own.
   */
  readonly client?: string;
  /** The class hash of the class: results are shared and kept by it. */
  readonly classHash: Felt;
  /** The Sierra class of `encodeContractClass`, within the limits of size. */
  readonly classBytes: Uint8Array;
  /**
   * Nobody has shown that the sender wants it, as for an estimate: without this, signature, nonce and
   * balance of a declaration are in order.
   */
  readonly isTrial?: boolean;
  /** How earlier compilations for the sender ended: by default there were none. */
  readonly grade?: Grade;
  /** Aborted when whoever asks does not wait any more; the answer is `busy` then. */
  readonly signal?: AbortSignal;
}

/** Takes the outcome of a request. */
export type Answer = (outcome: CompileOutcome) => void;

/** A class that waits or is compiled, for everybody who asked for it. */
export interface Job {
  readonly classHash: Felt;
  readonly classBytes: Uint8Array;
  /** While it waits: a place in the queue, and those who wait, per party. */
  readonly places: Map<Party, Place>;
  /** Once it runs: all who wait. */
  readonly answers: Answer[];
  isWaiting: boolean;
}

/** A place in the queue for a class, and those who wait for it in the name of one party. */
export interface Place {
  readonly job: Job;
  readonly key: Party;
  readonly grade: Grade;
  readonly answers: Answer[];
}

/** Added to class hashes and senders of trials, which share nothing with others. */
export const TRIAL_KEY = 1n << 256n;

/** Who has a share of the time for a request. */
export function partyOf({ sender, client, grade }: CompileRequest): Party {
  return client === undefined || grade === "proven" ? sender : client;
}

/** The place of a party among those that nobody has to pay for. */
export function lastOf(party: Party): Party {
  return typeof party === "string" ? `last ${party}` : party + TRIAL_KEY;
}

/** Takes an answer out. @returns whether it was there */
export function take(answers: Answer[], answer: Answer): boolean {
  const at = answers.indexOf(answer);
  if (at !== -1) answers.splice(at, 1);
  return at !== -1;
}
