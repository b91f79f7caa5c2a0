import { NodeError } from "#base/errors/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import { type BlockCommit, type ChainWriter, createChainReader } from "#io/storage/index.ts";
import type { GatewayContractAddresses, PreConfirmedAnswer } from "#io/feeder/index.ts";
import type {
  BlockCheckOutcome,
  BlockReference,
  BlockSource,
  CheckedBlock,
  ClassCheckOutcome,
  ClassCheckRequest,
  ExecutionVerifier,
  FromSync,
  KnownPreConfirmed,
  SyncCompile,
  SyncCompiled,
  SyncToQuery,
  ToSync,
} from "#services/sync/index.ts";
import { SyncService } from "#services/sync/sync-service.ts";
import type { SyncSettings } from "#services/sync/settings.ts";
import { settle } from "./admission-world.ts";
import { openChainFolder } from "./chain-folder.ts";
import { fakePort } from "./fake-port.ts";
import { FakeTimer } from "./fake-timer.ts";
import type { SourceChain } from "./source-chain.ts";

/** Public key of the sequencer that signs the blocks. */
export const SYNC_KEY = 0x5e9_0001n;

/** Settings of the fake source's chain. */
export const SYNC_SETTINGS: SyncSettings = {
  chainId: 0x534e5f54455354n,
  publicKey: null,
  feeTokens: { strk: 0x57n, eth: 0xe7n },
  newestVersion: "0.14.4",
  blockHashes: () => ({ distance: 10, contractAddress: 1n }),
  sourceName: "the gateway",
  gatewayCount: 1,
  stopAt: null,
  trustsCasm: false,
  takesL1Status: true,
  headPollMs: 1_000,
  preConfirmedPollMs: 500,
  pipeline: { maxBlocks: 32, maxBytes: 64 << 20 },
  maxTextBytes: 64 << 20,
};

type Text = Uint8Array<ArrayBuffer>;

const text = (value: string): Text => new Uint8Array(new TextEncoder().encode(value));

/** A gateway whose responses the test sets; requests wait while the test holds them. */
export class StandInSource implements BlockSource {
  /** Chain of the source. */
  chain: SourceChain;
  key: Felt = SYNC_KEY;
  addresses: GatewayContractAddresses = {
    starknet: 1n,
    parentFeeToken: 0xe7n,
    nativeFeeToken: 0x57n,
  };
  /** Replaces the newest block. */
  headOverride: BlockReference | undefined;
  classes = new Map<Felt, string>();
  compiled = new Map<Felt, string>();
  answerPreConfirmed: (
    blockNumber: number | "latest",
    known: KnownPreConfirmed | undefined,
  ) => PreConfirmedAnswer | undefined = () => undefined;
  /** Whether the source is unreachable. */
  isOffline = false;
  /** Blocks whose responses hang. */
  readonly hanging = new Set<number>();
  /** Number of `distrust` reports. */
  distrusted = 0;
  /** Faults that were reported. */
  readonly blamed: unknown[] = [];
  readonly asked: string[] = [];
  /** Number of pending block requests. */
  open = 0;
  mostOpen = 0;
  /** Called before each response. */
  before: (question: string) => Promise<void> = () => Promise.resolve();
  readonly #stopped = Promise.withResolvers<never>();
  #waiting: (() => void)[] = [];

  constructor(chain: SourceChain) {
    this.chain = chain;
    this.#stopped.promise.catch(() => undefined);
  }

  /** Re-evaluates pending requests. */
  wake(): void {
    for (const next of this.#waiting.splice(0)) next();
  }

  stop(): void {
    this.#stopped.reject(new NodeError("NODE_STOPPED", "the source stops"));
  }

  head(): Promise<BlockReference | undefined> {
    return this.#answer("head", () =>
      this.chain.blocks.length === 0 ? undefined : (this.headOverride ?? this.chain.head),
    );
  }

  reference(blockNumber: number): Promise<BlockReference | undefined> {
    return this.#answer(`reference ${blockNumber}`, () => {
      const block = this.chain.blocks[blockNumber];
      return block && { number: blockNumber, hash: block.hash };
    });
  }

  async wholeBlock(blockNumber: number): Promise<Text | undefined> {
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    try {
      return await this.#answer(`block ${blockNumber}`, () => {
        const block = this.chain.blocks[blockNumber];
        return block && text(hexFromFelt(block.hash));
      });
    } finally {
      this.open--;
    }
  }

  signature(blockNumber: number): Promise<Text | undefined> {
    return this.#answer(`signature ${blockNumber}`, () => text("signature"));
  }

  contractClass(classHash: Felt): Promise<Text | undefined> {
    return this.#answer(`class ${classHash}`, () => {
      const known = this.classes.get(classHash);
      return known === undefined ? undefined : text(known);
    });
  }

  compiledClass(classHash: Felt): Promise<Text | undefined> {
    return this.#answer(`compiled class ${classHash}`, () => {
      const known = this.compiled.get(classHash);
      return known === undefined ? undefined : text(known);
    });
  }

  preConfirmed(
    blockNumber: number | "latest",
    known: KnownPreConfirmed | undefined,
  ): Promise<PreConfirmedAnswer | undefined> {
    return this.#answer(`pre-confirmed ${blockNumber}`, () =>
      this.answerPreConfirmed(blockNumber, known),
    );
  }

  publicKey(): Promise<Felt> {
    return this.#answer("key", () => this.key);
  }

  contractAddresses(): Promise<GatewayContractAddresses> {
    return this.#answer("addresses", () => this.addresses);
  }

  distrust(about: unknown): void {
    this.distrusted++;
    this.blamed.push(about);
  }

  async #answer<T>(question: string, answer: () => T): Promise<T> {
    this.asked.push(question);
    await Promise.race([this.before(question), this.#stopped.promise]);
    const number = question.startsWith("block ") ? Number(question.slice(6)) : -1;
    while (this.isOffline || this.hanging.has(number)) {
      const woken = new Promise<void>((next) => void this.#waiting.push(next));
      await Promise.race([woken, this.#stopped.promise]);
    }
    return answer();
  }
}

/** Accepts blocks unchecked: texts of {@link StandInSource} identify blocks of known chains. */
export class StandInVerifier {
  readonly #known = new Map<string, CheckedBlock>();
  /** Rejections by block hash. */
  readonly refused = new Map<Felt, BlockCheckOutcome>();
  /** Keys used for checks of blocks. */
  readonly keys = new Set<Felt>();
  needsSignature = false;
  checkClass: (request: ClassCheckRequest) => Promise<ClassCheckOutcome> = () =>
    Promise.reject(new RangeError("no class is expected"));

  learn(chain: SourceChain): void {
    for (const block of chain.blocks) this.#known.set(hexFromFelt(block.hash), block);
  }

  checkBlock(request: {
    readonly text: Text;
    readonly signatureText: Text | undefined;
    readonly publicKey: Felt;
  }): Promise<BlockCheckOutcome> {
    this.keys.add(request.publicKey);
    if (this.needsSignature && request.signatureText === undefined) {
      return Promise.resolve({ kind: "needsSignature" });
    }
    const block = this.#known.get(new TextDecoder().decode(request.text));
    if (block === undefined) throw new RangeError("the verifier does not know the block");
    return Promise.resolve(this.refused.get(block.hash) ?? block);
  }
}

/** Settings of a test. */
export interface SyncWorldOptions {
  readonly settings?: Partial<SyncSettings>;
  readonly execution?: ExecutionVerifier;
  /** Replaces an empty folder. */
  readonly folder?: Awaited<ReturnType<typeof openChainFolder>>;
  /** Result of the main thread's compiler; by default it never responds. */
  readonly compile?: (request: SyncCompile) => Pick<SyncCompiled, "casmJson" | "reason">;
  /** Replaces a commit. */
  readonly commit?: (commit: BlockCommit, writer: ChainWriter) => void;
}

/** A follower of a fake source, with a real database, on a clock that the test advances. */
export async function syncWorld(chain: SourceChain, options: SyncWorldOptions = {}) {
  const folder = options.folder ?? (await openChainFolder());
  const timer = new FakeTimer();
  const source = new StandInSource(chain);
  const verifier = new StandInVerifier();
  verifier.learn(chain);
  const failures: unknown[] = [];
  const order: string[] = [];
  const main = fakePort<ToSync, FromSync>((message) => {
    order.push(`main ${message.kind}`);
    if (message.kind !== "compile" || options.compile === undefined) return;
    const compiled = { kind: "compiled", id: message.id, ...options.compile(message) } as const;
    queueMicrotask(() => main.tell(compiled));
  });
  const reader = fakePort<never, SyncToQuery>(({ kind }) => order.push(`query ${kind}`));
  const service = new SyncService(
    {
      ports: { readers: [reader], main },
      source,
      abortRequests: () => source.stop(),
      verifier,
      execution: options.execution ?? (() => Promise.resolve(undefined)),
      chain: createChainReader(folder.writing),
      writer: {
        trieStore: folder.writer.trieStore,
        putValue: (...value) => folder.writer.putValue(...value),
        setL1Accepted: (number) => folder.writer.setL1Accepted(number),
        commitBlock: (commit) =>
          options.commit === undefined
            ? folder.writer.commitBlock(commit)
            : options.commit(commit, folder.writer),
      },
      timer,
      yieldToOthers: () => Promise.resolve(),
      afterAccepted: () => undefined,
      onFailure: (error) => failures.push(error),
    },
    { ...SYNC_SETTINGS, ...options.settings },
  );
  service.start();
  const latest = (): number => folder.reader.latestNumber() ?? -1;
  /** Advances the clock until a condition holds, for at most `maxMs`. */
  const until = async (holds: () => boolean, maxMs = 60_000, stepMs = 250): Promise<boolean> => {
    await settle();
    for (let ms = 0; !holds() && ms < maxMs; ms += stepMs) {
      timer.advance(stepMs);
      await settle();
    }
    return holds();
  };
  const pass = async (ms: number, stepMs = 250): Promise<void> => {
    await until(() => false, ms, stepMs);
  };
  const messagesOf = <Kind extends FromSync["kind"]>(kind: Kind) =>
    main.sent.filter(
      (message): message is Extract<FromSync, { kind: Kind }> => message.kind === kind,
    );
  const close = async (): Promise<void> => {
    await service.stop();
    folder[Symbol.dispose]();
  };
  return {
    folder,
    timer,
    source,
    verifier,
    failures,
    order,
    main,
    reader,
    service,
    latest,
    until,
    pass,
    messagesOf,
    close,
  };
}
