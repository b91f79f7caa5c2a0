import type { CairoVm } from "#engine/cairo/index.ts";
import type { BlockContext } from "#engine/execution/index.ts";
import { NodeError } from "#base/errors/index.ts";
import type { Felt } from "#base/primitives/index.ts";
import type { BlockHeader } from "#protocol/chain/index.ts";
import type { RemoteBlock, RemoteUpdate } from "#io/client/index.ts";
import { checkCommitments, checkHeaderHash } from "./check-header.ts";
import { checkReads } from "./check-reads.ts";
import { checkedTransactions } from "./check-transactions.ts";
import { BlockClasses } from "./block-classes.ts";
import type { ReplayCompiler } from "./class-compiler.ts";
import { type Difference, DifferenceFound, requireSame } from "./difference.ts";
import { executeAgain } from "./execute.ts";
import { type ChainRules, contextOfHeader, flagsOf } from "./execute-block.ts";
import { HeaderChain } from "./header-chain.ts";
import { emptyState, type IncrementalState, stateRootAfter } from "./new-root.ts";
import { type Places, placesOf } from "./places.ts";
import { ClassShelf } from "./read-classes.ts";
import type { ReplayPort } from "./source.ts";
import { StateWitness } from "./state-witness.ts";
import { WitnessReader } from "./witness-reader.ts";

/** Settings of a replay: limits, whom it trusts, and the rules of the chain that are not in its headers. */
export interface ReplaySettings extends ChainRules {
  /** Maximum keys of one proof request; at least 2. */
  readonly maxProofKeys: number;
  /**
   * Whether to use the node's compiled code where the code compiled here has a different hash than the
   * declared one. The declared hash verifies its bytecode, but nothing verifies its hints.
   */
  readonly trustsCasm: boolean;
}

/** Dependencies of {@link Replayer}. */
export interface ReplayDeps {
  readonly port: ReplayPort;
  readonly vm: CairoVm;
  readonly compiler: ReplayCompiler;
  readonly settings: ReplaySettings;
  /** Stops the work between two transactions. */
  readonly signal: AbortSignal;
}

/** Result of a replay. */
export type ReplayOutcome =
  | {
      readonly kind: "agrees";
      readonly header: BlockHeader;
      /** The block is a genesis without transactions: its state was only hashed. */
      readonly isGenesis: boolean;
      /** Classes that use the node's compiled code: {@link ReplaySettings.trustsCasm}. */
      readonly trustedClasses: readonly Felt[];
    }
  | { readonly kind: "differs"; readonly difference: Difference };

/** Re-executes blocks of a node, using only its responses. */
export class Replayer {
  readonly #deps: ReplayDeps;
  readonly #shelf: ClassShelf;
  readonly #headers: HeaderChain;

  constructor(deps: ReplayDeps) {
    const { port, compiler, settings } = deps;
    this.#deps = deps;
    this.#shelf = new ClassShelf({ port, compiler, trustsCasm: settings.trustsCasm });
    this.#headers = new HeaderChain(port);
  }

  /**
   * Replays a block: verifies the node's reads, executes it, and compares receipts, traces, state diff, state
   * root, commitments and block hash.
   *
   * @throws {RpcRefusal} when the node refuses a request
   * @throws {NodeError} when it does not answer, or in an unexpected form
   */
  async replay(number: number): Promise<ReplayOutcome> {
    try {
      const { port } = this.#deps;
      const block = await port.block(number);
      const { header } = block;
      requireSame("block_number", number, header.number);
      checkHeaderHash(header);
      if (number === 0) requireSame("parent_hash of block 0", 0n, header.parentHash);
      const parent = number === 0 ? undefined : await this.#headers.ancestor(header, 1);
      const update = await port.stateUpdate(number);
      requireSame("getStateUpdate: block_hash", header.hash, update.blockHash);
      requireSame("getStateUpdate: old_root", parent?.newRoot ?? 0n, update.oldRoot);
      requireSame("getStateUpdate: new_root", header.newRoot, update.newRoot);
      // A genesis without transactions has nothing to execute.
      const isGenesis = number === 0 && block.transactions.length === 0;
      const classes = new BlockClasses(this.#shelf, number);
      await (isGenesis
        ? this.#checkGenesis(header, update)
        : this.#execute(block, update, parent, classes));
      this.#headers.keep(header);
      return { kind: "agrees", header, isGenesis, trustedClasses: classes.trusted };
    } catch (error) {
      if (!(error instanceof DifferenceFound)) throw error;
      return { kind: "differs", difference: error.difference };
    }
  }

  async #checkGenesis(header: BlockHeader, { stateDiff }: RemoteUpdate): Promise<void> {
    const root = await stateRootAfter(emptyState(), stateDiff, header);
    requireSame("new_root", root, header.newRoot);
    checkCommitments({ transactions: [], receipts: [], stateDiff }, header);
  }

  async #execute(
    block: RemoteBlock,
    update: RemoteUpdate,
    parent: BlockHeader | undefined,
    classes: BlockClasses,
  ): Promise<void> {
    const { port, vm, settings, signal } = this.#deps;
    const { header } = block;
    const transactions = checkedTransactions(block, settings.chainId);
    const context = contextOfHeader(header, settings);
    const { reads, traces } = await port.traces(header.number);
    requireSame("number of traces", transactions.length, traces.length);
    for (const [index, { hash }] of transactions.entries()) {
      const field = "traceBlockTransactions: transaction_hash";
      requireSame(field, hash, traces[index]?.transactionHash ?? 0n, { index, hash });
    }
    const { constants } = context;
    const places = placesOf({ reads, diff: update.stateDiff, transactions, constants });
    const before = await this.#stateBefore(parent, places);
    checkReads(reads, before.proven);
    const reader = new WitnessReader({
      proven: before.proven,
      places,
      classes: await classes.before(before.proven, reads, places),
      isEmpty: parent === undefined,
    });
    const { receipts, stateDiff } = await executeAgain({
      vm,
      context,
      reader,
      transactions,
      receipts: block.receipts,
      traces: traces.map(({ trace }) => trace),
      stateDiff: update.stateDiff,
      oldBlock: await this.#oldBlock(header, context),
      declared: await classes.declaredBy(transactions, header.protocolVersion),
      flags: flagsOf(settings),
      step: () => yieldOrStop(signal),
    });
    requireSame("new_root", await stateRootAfter(before, stateDiff, header), header.newRoot);
    checkCommitments({ transactions, receipts, stateDiff }, header);
  }

  async #stateBefore(parent: BlockHeader | undefined, places: Places): Promise<IncrementalState> {
    if (parent === undefined) return emptyState();
    const witness = new StateWitness(this.#deps.port, parent, this.#deps.settings.maxProofKeys);
    await witness.prove(places);
    return witness;
  }

  async #oldBlock(header: BlockHeader, { constants }: BlockContext) {
    const { storedBlockHashBuffer: distance } = constants.os;
    if (header.number < distance) return undefined;
    const { number, hash } = await this.#headers.ancestor(header, distance);
    return { number, hash };
  }
}

/** Yields to the event loop, then stops the work if the signal is aborted. */
async function yieldOrStop(signal: AbortSignal): Promise<void> {
  await Bun.sleep(0);
  if (signal.aborted) throw new NodeError("NODE_STOPPED", "stopped on request");
}
