import { sierraCodeSize } from "#engine/execution/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { CasmHashFunction, ClassContents } from "#protocol/chain/index.ts";
import { type Refusal, type StatelessLimits, statelessRefusal } from "../admission-rules.ts";
import {
  CLASS_SIZE_LIMITS,
  type ClassCompiler,
  type CompiledClass,
  programTooLong,
} from "../compile/index.ts";
import type { SubmitOutcome } from "../mempool/index.ts";
import type { SlowValidation } from "../slow-validation.ts";
import { SenderGrades, type Submitter } from "../submission/sender-grades.ts";
import { type SubmissionLimits, SubmissionGate } from "../submission/submission-gate.ts";
import { classBytesOf, type Declaration, encodeDeclaration } from "./declaration.ts";
import { hashMismatch } from "./hash-mismatch.ts";
import { KnownDeclarations } from "./known-declarations.ts";
import type { PreparedDeclaration } from "./prepared-declaration.ts";
import { SenderTurns } from "./sender-turns.ts";

/** Dependencies of {@link DeclareService}; none of them rejects. */
export interface DeclareDeps {
  /** Returns the limits that currently apply. */
  readonly limits: () => StatelessLimits;
  /** Hashes and validates; `undefined` when there is no room or the node stops. */
  readonly prepare: (bytes: Uint8Array) => Promise<PreparedDeclaration | undefined>;
  /** Returns the mempool's refusal of an encoded transaction; `null` when acceptable. */
  readonly judge: (bytes: Uint8Array, classSizeBytes: number) => Promise<Refusal | null>;
  readonly compiler: Pick<ClassCompiler, "compile" | "demote">;
  /** Validates an encoded transaction with the code size that its fee is based on. */
  readonly validate: (bytes: Uint8Array, codeSize: number) => Promise<SlowValidation | undefined>;
  /** Adds a valid declaration to the mempool. */
  readonly submit: (bytes: Uint8Array, declared: ClassContents) => Promise<SubmitOutcome>;
  /** The hash function that declarations must currently use. */
  readonly hashFunction: CasmHashFunction;
  /** Whether a transaction is in a block, accepted or being built. */
  readonly isIncluded: (hash: Felt) => boolean;
  /** Whether an account is deployed at an address. */
  readonly hasAccount: (address: Felt) => boolean;
  /** Called when a declaration is refused; `code` is the wire error's name, or BUSY. */
  readonly onRefused: (code: string) => void;
  /** A monotonic clock, in milliseconds. */
  readonly nowMs: () => number;
}

/** Limits of declarations that wait to be prepared. */
const LIMITS: SubmissionLimits = {
  maxCount: 512,
  maxSizeBytes: 64 << 20,
  maxDoubtfulCount: 128,
};

type Prepared = Extract<PreparedDeclaration, { readonly kind: "prepared" }>;

/**
 * Processes declarations: fair between addresses, and between senders with paid declarations, and ordered so
 * that nobody gets a compilation for free.
 *
 * The order is: size, signature, nonce and balance; the mempool's rules; compilation; compiled class hash;
 * the fee with the actual code size. A sender's declarations are compiled one after the other, so that each
 * finds the preceding nonce in the mempool.
 */
export class DeclareService {
  readonly #deps: DeclareDeps;
  readonly #gate: SubmissionGate;
  readonly #turns = new SenderTurns();
  readonly #known = new KnownDeclarations();
  /** Record of paid and unpaid compilations. */
  readonly #grades: SenderGrades;

  constructor(deps: DeclareDeps) {
    this.#deps = deps;
    this.#grades = new SenderGrades(deps.nowMs, COMPILATION_MEMORY_MS);
    let nextId = 0;
    this.#gate = new SubmissionGate({
      send: (...sent) => void this.#take(...sent),
      hasAccount: deps.hasAccount,
      nowMs: deps.nowMs,
      nextId: () => nextId++,
      sharesByClient: true,
      limits: LIMITS,
    });
  }

  /**
   * Settles once the declaration is stored durably or refused; never rejects.
   *
   * @param client - client address, in the API's form
   */
  async declare(declaration: Declaration, client: string): Promise<SubmitOutcome> {
    const outcome = this.#withDuplicate(declaration, await this.#declare(declaration, client));
    if (outcome.kind === "rejected") {
      this.#deps.onRefused(outcome.retryAfterSeconds === undefined ? outcome.code : "BUSY");
    }
    return outcome;
  }

  /** Turns a nonce refusal into a duplicate if this same declaration used the nonce. */
  #withDuplicate({ transaction }: Declaration, outcome: SubmitOutcome): SubmitOutcome {
    if (outcome.kind === "accepted") this.#known.add(transaction, outcome.transactionHash);
    else if (outcome.code === "INVALID_TRANSACTION_NONCE") {
      const hash = this.#known.hashOf(transaction);
      if (hash !== undefined && this.#deps.isIncluded(hash)) return DUPLICATE;
    }
    return outcome;
  }

  #declare(declaration: Declaration, client: string): Promise<SubmitOutcome> {
    const { transaction, contractClass } = declaration;
    // Refuse an unsupported version before any work is done on the class.
    const stateless = statelessRefusal({ ...transaction, classHash: 0n }, this.#deps.limits());
    if (stateless !== undefined) return Promise.resolve(stateless);
    const tooLong =
      contractClass.kind === "sierra" && programTooLong(contractClass, CLASS_SIZE_LIMITS);
    if (tooLong) return Promise.resolve({ ...tooLong, kind: "rejected" });
    const submitter = { sender: transaction.senderAddress, client };
    return this.#gate.submit(submitter, encodeDeclaration(declaration));
  }

  /** See {@link SubmissionGate.stop}. */
  stop(outcome?: SubmitOutcome): void {
    this.#gate.stop(outcome);
  }

  async #take(id: number, bytes: Uint8Array, submitter: Submitter): Promise<void> {
    const { prepare, nowMs } = this.#deps;
    const startedMs = nowMs();
    const prepared = await prepare(bytes);
    this.#gate.validated(id, nowMs() - startedMs);
    this.#gate.settled(id, await this.#outcomeOf(prepared, classBytesOf(bytes), submitter));
  }

  async #outcomeOf(
    prepared: PreparedDeclaration | undefined,
    classBytes: Uint8Array,
    submitter: Submitter,
  ): Promise<SubmitOutcome> {
    if (prepared === undefined)
      return busy("too many long validations are in progress", RETRY_SECONDS);
    if (prepared.kind === "rejected") return prepared;
    const { unpacked } = prepared;
    const storedBytes = unpacked ?? classBytes;
    const outcome = await this.#turns.run(submitter.sender, storedBytes.byteLength, () =>
      this.#compile(prepared, storedBytes, submitter),
    );
    return outcome ?? busy("too many declarations are pending", RETRY_SECONDS);
  }

  async #compile(
    prepared: Prepared,
    classBytes: Uint8Array,
    submitter: Submitter,
  ): Promise<SubmitOutcome> {
    const { judge, compiler, submit } = this.#deps;
    const { bytes, transaction } = prepared.hashed;
    const refusal = await judge(bytes, classBytes.byteLength);
    if (refusal !== null) return refusal;
    // A Cairo 0 class needs no compilation.
    if (transaction.version === 1) {
      return submit(bytes, { contractClass: classBytes, casmJson: null });
    }
    const { classHash, compiledClassHash } = transaction;
    const grade = this.#grades.gradeOf(submitter, () => true);
    const compiled = await compiler.compile({ ...submitter, classHash, classBytes, grade });
    if (compiled.kind === "busy") {
      return later(compiled.reason, compiled.retryAfterSeconds);
    }
    const outcome =
      compiled.kind === "refused"
        ? ({ ...compiled, kind: "rejected" } as const)
        : (hashMismatch(compiledClassHash, compiled.hashes, this.#deps.hashFunction) ??
          (await this.#submit(prepared, classBytes, compiled)));
    if (outcome.kind === "accepted") this.#grades.succeeded(submitter);
    else if (outcome.retryAfterSeconds === undefined && outcome.isNodeFull !== true) {
      this.#grades.failed(submitter);
      // Other classes of the same address may be queued.
      if (this.#grades.isBad({ ...submitter, sender: NOBODY })) compiler.demote(submitter.client);
    }
    return outcome;
  }

  async #submit(
    { hashed, sierraProgramLength, abiLength }: Prepared,
    contractClass: Uint8Array,
    { casmJson, bytecodeLength }: CompiledClass,
  ): Promise<SubmitOutcome> {
    const { validate, submit } = this.#deps;
    const codeSize = sierraCodeSize({ bytecodeLength, sierraProgramLength, abiLength });
    const validation = await validate(hashed.bytes, codeSize);
    if (validation === undefined)
      return busy("too many long validations are in progress", RETRY_SECONDS);
    if (validation.kind === "refused") return { ...validation, kind: "rejected" };
    return submit(hashed.bytes, { contractClass, casmJson });
  }
}

/** Replaces a sender without a record, so that the client's address decides. */
const NOBODY = 0n;

/** A sender's record expires after this long without declarations; milliseconds. */
const COMPILATION_MEMORY_MS = 600_000;

/** Retry delay when the position in the queue is unknown. */
const RETRY_SECONDS = 5;

const DUPLICATE: SubmitOutcome = {
  kind: "rejected",
  code: "DUPLICATE_TX",
  reason: "the transaction is already in a block",
};

function busy(why: string, retryAfterSeconds: number): SubmitOutcome {
  return later(`the node is busy: ${why}`, retryAfterSeconds);
}

function later(why: string, retryAfterSeconds: number): SubmitOutcome {
  const reason = `${why}; try again in ${retryAfterSeconds} s`;
  return { kind: "rejected", code: "UNEXPECTED_ERROR", reason, retryAfterSeconds };
}
