import { decodeSlowValidation, encodeSlowValidation } from "#services/admission/slow-validation.ts";
import { decodeDeclaration } from "#services/admission/declare/declaration.ts";
import { type DeclareDeps, DeclareService } from "#services/admission/declare/declare-service.ts";
import {
  decodePrepared,
  encodePrepared,
} from "#services/admission/declare/prepared-declaration.ts";
import { decodeTransaction } from "#protocol/chain/index.ts";
import { COMPILED } from "./fake-compiler.ts";
import { preparedOf, sentDeclaration } from "./sent-declaration.ts";

/** Name of a step of processing a declaration, in order. */
export type Step = "prepare" | "judge" | "compile" | "validate" | "submit";

type Args = { readonly [S in Exclude<Step, "compile">]: Parameters<DeclareDeps[S]> } & {
  readonly compile: Parameters<DeclareDeps["compiler"]["compile"]>;
};

/** Results of a step, by class number. */
type Answers = {
  readonly [S in Exclude<Step, "compile">]: (number: bigint) => Awaited<ReturnType<DeclareDeps[S]>>;
} & {
  readonly compile: (number: bigint) => Awaited<ReturnType<DeclareDeps["compiler"]["compile"]>>;
};

/**
 * A declare service whose dependencies are played by the test. Declarations are identified by the
 * number of their class, and have the compiled class hash that the compiler returns.
 *
 * @param answers - results of steps that differ from success
 */
export function declareServiceWorld(
  answers: Partial<Answers> = {},
  deps: Partial<DeclareDeps> = {},
) {
  const log: string[] = [];
  const given: { [S in Step]: Args[S][] } = {
    prepare: [],
    judge: [],
    compile: [],
    validate: [],
    submit: [],
  };
  const refused: string[] = [];
  const demoted: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  /** Class numbers by transaction hash, and by class hash. */
  const numbers = new Map<bigint, bigint>();
  const classes = new Map<bigint, bigint>();
  const all: Answers = {
    prepare: (number) => preparedOf(declarationOf(number)),
    judge: () => null,
    compile: () => ({ ...COMPILED.compiled, kind: "compiled" }),
    validate: () =>
      decodeSlowValidation(encodeSlowValidation({ kind: "valid", prevalidated: null })),
    submit: (number) => ({ kind: "accepted", transactionHash: number, classHash: number }),
    ...answers,
  };
  const senders = new Map<bigint, bigint>();
  const declarationOf = (number: bigint) =>
    sentDeclaration(number, {
      senderAddress: senders.get(number) ?? 1n,
      compiledClassHash: COMPILED.compiled.hashes.blake,
    });
  const at = async (step: Step, number: bigint): Promise<void> => {
    log.push(`${step} ${number}`);
    await held.get(`${step} ${number}`)?.promise;
  };
  const numberOf = (bytes: Uint8Array): bigint => numbers.get(decodeTransaction(bytes).hash) ?? -1n;
  const service = new DeclareService({
    limits: () => ({
      maxCalldataLength: 10,
      chargeFees: true,
      takesFree: false,
      maxFeeTransactions: false,
    }),
    async prepare(...args) {
      given.prepare.push(args);
      const { contractClass } = decodeDeclaration(args[0]);
      const number =
        contractClass.kind === "sierra" ? (contractClass.sierraProgram[0] ?? -1n) : -1n;
      await at("prepare", number);
      const prepared = all.prepare(number);
      if (prepared?.kind === "prepared") {
        numbers.set(prepared.hashed.hash, number);
        classes.set(prepared.hashed.transaction.classHash, number);
      }
      return prepared && decodePrepared(encodePrepared(prepared));
    },
    async judge(...args) {
      given.judge.push(args);
      await at("judge", numberOf(args[0]));
      return all.judge(numberOf(args[0]));
    },
    compiler: {
      async compile(...args) {
        given.compile.push(args);
        const number = classes.get(args[0].classHash) ?? -1n;
        await at("compile", number);
        return all.compile(number);
      },
      demote: (client) => void demoted.push(client),
    },
    async validate(...args) {
      given.validate.push(args);
      await at("validate", numberOf(args[0]));
      return all.validate(numberOf(args[0]));
    },
    async submit(...args) {
      given.submit.push(args);
      await at("submit", numberOf(args[0]));
      return all.submit(numberOf(args[0]));
    },
    hashFunction: "blake",
    isIncluded: () => false,
    hasAccount: () => true,
    onRefused: (code) => void refused.push(code),
    nowMs: () => 0,
    ...deps,
  });
  return {
    service,
    /** Started steps, as `step number`. */
    log,
    /** Arguments of each step. */
    given,
    /** Rejections that were counted. */
    refused,
    /** Addresses whose queued classes have lowest priority. */
    demoted,
    declarationOf,
    /** Declares the class of a number for a sender. */
    declare(number: bigint, sender = 1n, client = `client of ${sender}`) {
      senders.set(number, sender);
      return service.declare(declarationOf(number), client);
    },
    /** Blocks a step until it is released. */
    hold: (step: Step, number: bigint) =>
      void held.set(`${step} ${number}`, Promise.withResolvers()),
    release: (step: Step, number: bigint) => held.get(`${step} ${number}`)?.resolve(),
  };
}

/** All steps of a successful declaration, in order. */
export function allSteps(number: bigint): string[] {
  return ["prepare", "judge", "compile", "validate", "submit"].map((step) => `${step} ${number}`);
}
