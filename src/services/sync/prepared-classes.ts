import { hexFromFelt } from "#base/primitives/index.ts";
import type { EncodedClass } from "#protocol/chain/index.ts";
import type { StoredChainReader } from "#io/storage/index.ts";
import { type CompiledCodeDeps, declaredCode } from "./compiled-code.ts";
import type { BlockSource, ClassVerifier, DeclaredClassHash } from "./ports.ts";
import { refuse } from "./refusal.ts";
import type { TextRoom } from "./text-room.ts";
import { Turns } from "./turns.ts";

/** Maximum number of classes that are fetched, checked and compiled concurrently. */
const MAX_CLASSES = 4;

/** Maximum number of prepared classes cached for the next block that names them. */
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 64 * 2 ** 20;

/** Dependencies of {@link PreparedClasses}. */
export interface PreparedClassesDeps extends CompiledCodeDeps {
  readonly source: Pick<BlockSource, "contractClass" | "compiledClass">;
  readonly verifier: ClassVerifier;
  readonly room: TextRoom;
  readonly chain: Pick<StoredChainReader, "declaredClass">;
}

/** Parts of a block that class preparation needs. */
export interface ClassesOfBlock {
  readonly number: number;
  readonly protocolVersion: string;
  readonly classes: readonly DeclaredClassHash[];
  /** Classes that came with the block. */
  readonly carried: readonly EncodedClass[];
}

/** Prepares declared classes for storage: fetches, checks and compiles them, with a cache. */
export class PreparedClasses {
  readonly #deps: PreparedClassesDeps;
  readonly #turns = new Turns(MAX_CLASSES);
  /** Cached classes, oldest request first; the oldest is evicted first. */
  readonly #known = new Map<string, Promise<EncodedClass>>();
  readonly #bytes = new Map<string, number>();

  constructor(deps: PreparedClassesDeps) {
    this.#deps = deps;
  }

  /**
   * Prepares the classes of a block ahead of the newest one. Waits only for the Sierra classes that it
   * declares. Preparation of the others starts without waiting: an earlier block may declare a class that
   * this block deploys.
   *
   * @throws {BlockRefused} when a class does not match its declaration
   */
  ahead(block: ClassesOfBlock): Promise<EncodedClass[]> {
    const isCertain = ({ compiledClassHash }: DeclaredClassHash) => compiledClassHash !== null;
    const others = block.classes.filter((declared) => !isCertain(declared));
    // A failed class is prepared again when its block is applied, which then throws the error.
    this.of({ ...block, classes: others }).catch(() => undefined);
    return this.of({ ...block, classes: block.classes.filter(isCertain) });
  }

  /**
   * Returns the classes that a block needs and that are not stored, in no particular order.
   *
   * @throws {BlockRefused} when a class does not match its declaration
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
        this.#evictOld();
      },
      // A failed class is evicted, so that the next request retries it; current callers get the error.
      () => this.#evict(key),
    );
    return prepared;
  }

  async #prepare(block: ClassesOfBlock, declared: DeclaredClassHash): Promise<EncodedClass> {
    const { number: blockNumber, protocolVersion } = block;
    const { classHash, compiledClassHash } = declared;
    const carried = block.carried.find((each) => each.classHash === classHash);
    const encoded = carried ?? (await this.#fetched(block, declared));
    if (compiledClassHash === null) return { ...encoded, casmJson: null };
    const suppliedCasm = encoded.casmJson;
    const code = { blockNumber, protocolVersion, encoded, compiledClassHash, suppliedCasm };
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

  #evictOld(): void {
    let bytes = [...this.#bytes.values()].reduce((sum, each) => sum + each, 0);
    for (const [key, size] of this.#bytes) {
      if (this.#bytes.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES) return;
      bytes -= size;
      this.#evict(key);
    }
  }

  #evict(key: string): void {
    this.#known.delete(key);
    this.#bytes.delete(key);
  }
}
