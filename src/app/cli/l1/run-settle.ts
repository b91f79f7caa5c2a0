import { type FlagSources, flagName } from "#app/options/index.ts";
import { ConfigError } from "#base/errors/index.ts";
import { hexFromFelt, SYSTEM_TIMER } from "#base/primitives/index.ts";
import { DevCoreOperator, L1_LIMITS } from "#io/l1/index.ts";
import { type SettledRange, Settler } from "#services/settlement/index.ts";
import { connectChainNode } from "../chain-node.ts";
import type { CliContext } from "../command.ts";
import { wrongOption } from "../option-errors.ts";
import { NO_WORDS, parseArguments } from "../parse-arguments.ts";
import { EXIT } from "../report.ts";
import { readL1KeyFile } from "./key-file.ts";
import { blocksOfNode } from "./node-blocks.ts";
import { settleOptions } from "./options.ts";

/** Public chains, which refuse settlement without proofs. */
const REFUSED_CHAINS: ReadonlyMap<number, string> = new Map([
  [1, "Ethereum"],
  [11_155_111, "Sepolia"],
]);

/** Deadline of one request to the node. */
const NODE_ANSWER_MS = 30_000;
const NODE_RETRIES = 3;

/** Implements `appchain l1 settle --dev --key-file FILE --core-contract ADDRESS`. */
export async function runSettle(argv: readonly string[], context: CliContext): Promise<number> {
  const { options, sources } = parseArguments(settleOptions, argv, context.environment, NO_WORDS);
  const { keyFile, coreContract } = options;
  if (!options.dev) {
    throw wrongOption(sources, "dev", "is required: the posted updates have no proof");
  }
  if (keyFile === null)
    throw missing(sources, "key-file", "file with the key that signs the transactions on L1");
  if (coreContract === null)
    throw missing(sources, "core-contract", "address that receives the updates");
  const { signal } = context;
  const key = readL1KeyFile(keyFile, flagName(sources, "key-file"));
  const core = await DevCoreOperator.connect(
    {
      url: options.l1Endpoint,
      key,
      coreContractAddress: coreContract,
      limits: L1_LIMITS,
      transactionMs: options.l1Wait,
      timer: SYSTEM_TIMER,
      signal,
    },
    requireDevelopmentChain,
  );
  const node = await connectChainNode(
    { url: options.url, timeoutMs: NODE_ANSWER_MS, retries: NODE_RETRIES, signal },
    { needs: "settling", done: "settled" },
  );
  const blocks = blocksOfNode(node);
  const onSettled = (range: SettledRange): void => context.out(settledLine(range));
  const settler = new Settler({ blocks, core, onSettled, signal });
  const last = await settler.settle(options.to ?? (await blocks.newest()));
  context.out(last < 0 ? "the core contract has no block" : `the core contract has block ${last}`);
  return signal.aborted ? EXIT.runtime : EXIT.ok;
}

function requireDevelopmentChain(chainId: number, endpoint: string): void {
  const name = REFUSED_CHAINS.get(chainId);
  if (name === undefined) return;
  throw new ConfigError(
    `${endpoint} is a node of ${name} (chain id ${chainId}), where settling without proofs is refused`,
  );
}

function missing(sources: FlagSources, flag: string, what: string): ConfigError {
  return wrongOption(sources, flag, `is missing: ${what}`);
}

function settledLine({
  firstNumber,
  number,
  hash,
  stateRoot,
  messagesToL1,
  messagesToL2,
}: SettledRange): string {
  const blocks = firstNumber === number ? `block ${number}` : `blocks ${firstNumber} to ${number}`;
  const messages = `${messagesToL1.length} messages to L1, ${messagesToL2.length} to L2`;
  return `${blocks} settled: ${messages}, hash ${hexFromFelt(hash)}, state root ${hexFromFelt(stateRoot)}`;
}
