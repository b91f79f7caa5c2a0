import type { Felt } from "#base/primitives/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "#base/codec/index.ts";
import { constantsOf } from "#protocol/config/index.ts";
import { contractAddress, type SierraClass } from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { createCairoVm } from "#engine/cairo/index.ts";
import { compileClass, CompileError } from "#engine/sierra/index.ts";
import type { CairoVm } from "#engine/cairo/types.ts";
import { NodeClient, type RpcChannel, RpcRefusal } from "#io/client/index.ts";
import {
  type Compilation,
  type ReplayCompiler,
  type ReplayOutcome,
  Replayer,
  type ReplaySettings,
} from "#services/replay/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import { createMethodTables } from "#api/rpc/index.ts";
import { traceAccess } from "#app/node/query/trace-access.ts";
import { chainIdFelt, contextFor } from "#app/node/setup/setup.ts";
import { DeclareWorld, renamedClass } from "./declare-world.ts";
import { executeOne } from "./migration-story.ts";
import { sampleContext } from "./sample-chain.ts";
import { answerText, dispatcherOf } from "./serving.ts";
import { streamedAnswer } from "./streamed-answer.ts";
import { TRACE_LIMITS } from "#app/node/query/trace-limits.ts";

/** Changes a response in transit. */
export type Tamper = (method: string, result: JsonValue, params: JsonValue) => JsonValue;

let machine: CairoVm | undefined;

/**
 * Honest responses of each chain by its newest block and the request, as re-executing a block takes
 * long.
 */
const honest = new WeakMap<object, Map<string, string>>();

async function rememberedAnswer(
  chain: DeclareWorld["chain"],
  request: string,
  answer: () => Promise<string>,
): Promise<string> {
  const answers = honest.get(chain) ?? new Map<string, string>();
  honest.set(chain, answers);
  const key = `${chain.latestNumber()} ${request}`;
  const text = answers.get(key) ?? (await answer());
  answers.set(key, text);
  return text;
}

/** Channel to a node with this chain, through its dispatcher and without a socket. */
export function channelOf(
  { setup, chain }: Pick<DeclareWorld, "setup" | "chain">,
  tamper: Tamper = (_, result) => result,
): RpcChannel {
  const vm = (machine ??= createCairoVm());
  const context = sampleContext({
    chainId: chainIdFelt(setup.config),
    chain,
    pending: () => undefined,
    tracing: traceAccess({
      vm,
      contextOf: (info) => contextFor(setup, info),
      limitedOf: (info) => contextFor(setup, info),
      isImpersonatedAccount: () => false,
      cancellation: { isStopped: () => false, noted: (outcome) => outcome },
      chargeFees: true,
      limits: TRACE_LIMITS,
    }),
  });
  const dispatcher = dispatcherOf(context);
  const [newest] = createMethodTables();
  return {
    async stream(method, params, decoder) {
      const result = await this.call(method, params);
      return streamedAnswer(method, stringifyJson(result), decoder());
    },
    async call(method, params) {
      const request = stringifyJson({ jsonrpc: "2.0", id: 1, method, params });
      const text = await rememberedAnswer(chain, request, () =>
        answerText(dispatcher, request, newest),
      );
      const answer = parseJson(text, { maxDepth: 1024 });
      if (!isJsonObject(answer)) throw new TypeError(text);
      const { result, error } = answer;
      if (isJsonObject(error)) throw new RpcRefusal(method, Number(error["code"]), text);
      return tamper(method, result as JsonValue, params);
    },
  };
}

const compilations = new Map<Felt, Compilation>();

/** Compiles in this process, each class once. */
export const OWN_COMPILER: ReplayCompiler = {
  compile(classHash, contractClass) {
    const known = compilations.get(classHash) ?? compilationOf(contractClass);
    compilations.set(classHash, known);
    return Promise.resolve(known);
  },
};

function compilationOf(contractClass: SierraClass): Compilation {
  try {
    const casm = compileClass(contractClass, { maxBytecodeSize: 81_920 });
    return { kind: "compiled", casm };
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    return { kind: "failed", reason: error.message };
  }
}

/** Replays a block of a chain; responses may be changed in transit. */
export function replay(
  world: Pick<DeclareWorld, "setup" | "chain">,
  number: number,
  tamper?: Tamper,
  special: Partial<ReplaySettings> = {},
  compiler: ReplayCompiler = OWN_COMPILER,
): Promise<ReplayOutcome> {
  const { config } = world.setup;
  const constants = constantsOf(config);
  const replayer = new Replayer({
    port: new NodeClient(channelOf(world, tamper)),
    vm: (machine ??= createCairoVm()),
    compiler,
    settings: {
      chainId: chainIdFelt(config),
      feeTokens: { strk: config.nativeFeeTokenAddress, eth: config.parentFeeTokenAddress },
      constantsOf: (version) => constants.at(version),
      chargeFees: true,
      maxProofKeys: 90,
      trustsCasm: false,
      ...special,
    },
    signal: new AbortController().signal,
  });
  return replayer.replay(number);
}

const SPENDER = 0x5be4de4n;
/** Address of the recipient of the first transfer of a {@link replayStory}. */
export const STRANGER = 0x57a46e4n;

/** Numbers of the blocks of a {@link replayStory}. */
export const STORY = {
  /** A transfer, and one that reverts. */
  transfers: 1,
  /** Allowances and a declaration. */
  declare: 2,
  /** Sets some of the allowances back to 0. */
  deletion: 3,
  empty: 4,
  /** An account deploys itself. */
  deployment: 6,
  last: 12,
} as const;

/** A development chain with every kind of block that requires no fixtures. */
export async function replayStory(): Promise<DeclareWorld> {
  const world = await DeclareWorld.create("0.14.4");
  const { setup, account, chain } = world;
  const token = setup.config.nativeFeeTokenAddress;
  let nonce = 0n;
  const invoke = (name: string, ...calldata: readonly Felt[]): Candidate =>
    world.invoke(nonce++, token, selectorFromName(name), calldata);
  const declared = renamedClass("universal_deployer", "the deployer of a replay");
  const classHash = chain.stateAt(0).classHashAt(account.address);
  const fresh = contractAddress(0n, 1n, classHash, [account.publicKey]);
  await produce(
    world,
    invoke("transfer", STRANGER, 5n, 0n),
    invoke("transfer", STRANGER, 0n, 10n ** 9n),
  );
  const spenders = Array.from({ length: 12 }, (_, i) => SPENDER + BigInt(i));
  const approvals = spenders.map((spender) => invoke("approve", spender, 7n, 0n));
  await produce(world, ...approvals, world.declare(nonce++, declared));
  const withdrawals = spenders.slice(0, 4).map((spender) => invoke("approve", spender, 0n, 0n));
  await produce(world, ...withdrawals, invoke("transfer", 0x9n, 1n, 0n));
  await produce(world);
  await produce(world, invoke("transfer", fresh, 10n ** 22n, 0n));
  await produce(world, world.deployAccount(fresh, classHash));
  for (let number = 7; number <= STORY.last; number++) {
    await produce(world, invoke("transfer", BigInt(number) << 100n, 1n, 0n));
  }
  return world;
}

/** Creates a block of transactions. */
export async function produce(
  world: DeclareWorld,
  ...candidates: readonly Candidate[]
): Promise<void> {
  const number = (world.chain.latestNumber() ?? 0) + 1;
  const { producer, delta } = world.open(number, world.chain.stateAt(number - 1));
  const deltas = candidates.map((candidate) => executeOne(producer, candidate));
  const sealed = producer.seal();
  await world.commit([delta, ...deltas, sealed.delta], sealed.draft);
}
