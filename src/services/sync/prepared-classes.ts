import { hexFromFelt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { type CompiledCodeDeps, declaredCode } from "./compiled-code.ts";
import type { BlockSource, ClassVerifier, DeclaredClassHash } from "./ports.ts";
import { refuse } from "./refusal.ts";
import type { TextRoom } from "./text-room.ts";
import { Turns } from "./turns.ts";

/** Classes that are fetched, checked and compiled at a time. */
const MAX_CLASSES = 4;

/** Prepared classes that are kept for the next block that names them, and their bytes. */
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 64 * 2 ** 20;

/** What classes are prepared with. */
export interface PreparedClassesDeps extends CompiledCodeDeps {
  readonly source: Pick<BlockSource, "contractClass" | "compiledClass">;
  readonly verifier: ClassVerifier;
  readonly room: TextRoom;
  readonly chain: Pick<StoredChainReader, "declaredClass">;
}

/** A block as far as its classes are concerned. */
export interface ClassesOfBlock {
  readonly number: number;
  readonly protocolVersion: string;
  readonly classes: readonly DeclaredClassHash[];
  /** Those that came with the block. */
  readonly carried: readonly EncodedClass[];
}

/** Makes classes that blocks declare into such as can be stored, each once in a while. */
export class PreparedClasses {
  readonly #deps: PreparedClassesDeps;
  readonly #turns = new Turns(MAX_CLASSES);
  /** In the order of their use; what was asked for first goes first. */
  readonly #known = new Map<string, Promise<EncodedClass>>();
  readonly #bytes = new Map<string, number>();

  constructor(deps: PreparedClassesDeps) {
    this.#deps = deps;
  }

  /**
   * Prepares what a block ahead of the newest one needs, as far as that is certain: the Sierra classes that
   * it declares. The others are begun and not waited for: a block before may declare what it deploys.
   *
   * @throws {BlockRefused} when one is not what the block says
   */
  ahead(block: ClassesOfBlock): Promise<EncodedClass[]> {
    const isCertain = ({ compiledClassHash }: DeclaredClassHash) => compiledClassHash !== null;
    const others = block.classes.filter((declared) => !isCertain(declared));
    // Whether that was right is seen when the block's turn comes.
    this.of({ ...block, classes: others }).catch(() => undefined);
    return this.of({ ...block, classes: block.classes.filter(isCertain) });
  }

  /**
   * The classes that a block needs and that are not stored, in no order.
   *
   * @throws {BlockRefused} when one is not what the block says
   */
  of(block: ClassesOfBlock): Promise<EncodedClass[]> {
    const missing = block.classes.filter(
      ({ classHash }) => this.#deps.chain.declaredClass(classHash) === undefined,
    );
    return Promise.all(missing.map((declared) => this.#prepared(block, declared)));
  }

  #prepared(block: ClassesOfBlock, declared: DeclaredClassHash): Promise<EncodedClass> {
    const { classHash, compiledClassHash } = declared;
    const key = `${classHash} ${compiledClassHash} ${block.protocolVersion}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const prepared = this.#turns.take(() => this.#prepare(block, declared));
    this.#known.set(key, prepared);
    prepared.then(
      ({ contractClass, casmJson }) => {
        this.#bytes.set(key, contractClass.length + (casmJson?.length ?? 0));
        this.#forgetOld();
      },
      // What fails is tried again when it is asked for again; whoever waits has the error.
      () => this.#forget(key),
    );
    return prepared;
  }

  async #prepare(block: ClassesOfBlock, declared: DeclaredClassHash): Promise<EncodedClass> {
    const { number: blockNumber, protocolVersion } = block;
    const { classHash, compiledClassHash } = declared;
    const carried = block.carried.find((each) => each.classHash === classHash);
    const encoded = carried ?? (await this.#fetched(block, declared));
    if (compiledClassHash === null) return { ...encoded, casmJson: null };
    const toldCasm = encoded.casmJson;
    const code = { blockNumber, protocolVersion, encoded, compiledClassHash, toldCasm };
    return { ...encoded, casmJson: await declaredCode(this.#deps, code) };
  }

  async #fetched(block: ClassesOfBlock, declared: DeclaredClassHash): Promise<EncodedClass> {
    const { source, sourceName, verifier, room } = this.#deps;
    const { number: blockNumber, protocolVersion } = block;
    const { classHash } = declared;
    const outcome = await room.use(
      () => source.contractClass(classHash),
      (text) => verifier.checkClass({ blockNumber, declared, protocolVersion, text }),
    );
    if (outcome === undefined) {
      const missing = `${sourceName} does not have class ${hexFromFelt(classHash)} of its block`;
      return refuse("class_hash", blockNumber, missing);
    }
    if (outcome.kind === "refused") {
      const { check, message } = outcome.refusal;
      return refuse(check, blockNumber, message);
    }
    return outcome.encoded;
  }

  #forgetOld(): void {
    let bytes = [...this.#bytes.values()].reduce((sum, each) => sum + each, 0);
    for (const [key, size] of this.#bytes) {
      if (this.#bytes.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES) return;
      bytes -= size;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#known.delete(key);
    this.#bytes.delete(key);
  }
}
