import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { type CompiledSierraCasm, hash as starknet } from "starknet";
import type { Felt } from "#base/primitives/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import {
  type BlockHeader,
  type BundledClass,
  contractAddress,
  sierraClassFromJson,
  sierraClassHash,
} from "#protocol/chain/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import type { BlockProducer } from "#services/sequencer/index.ts";
import { DeclareWorld } from "./declare-world.ts";
import { fixturePath, readFixtureJson } from "./shared.ts";

const DEPLOYER = 0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn;
const DEPLOY = selectorFromName("deployContract");
const INCREASE = selectorFromName("increase_balance");

/**
 * Both forms of a class's compiled class hash, by Poseidon and by Blake2s, computed by other
 * software.
 */
export interface HashForms {
  readonly classHash: Felt;
  readonly poseidon: Felt;
  readonly blake: Felt;
}

/** A class of the reference compiler with its hashes. */
interface GoldenClass extends HashForms {
  readonly declared: BundledClass;
}

function golden(id: string): GoldenClass {
  const text = (kind: string): string =>
    readFileSync(fixturePath("casm-golden", `${id}.${kind}.json`), "utf8");
  const index = readFixtureJson("casm-golden", "index.json") as readonly Record<string, string>[];
  const { poseidon = "", blake = "" } = index.find((each) => each["id"] === id) ?? {};
  const contractClass = sierraClassFromJson(text("sierra"));
  const classHash = sierraClassHash(contractClass);
  const declared = { classHash, contractClass, casmJson: text("casm") };
  return { declared, classHash, poseidon: BigInt(poseidon), blake: BigInt(blake) };
}

/** Includes one transaction in the open block. */
export function executeOne(producer: BlockProducer, candidate: Candidate): PendingDelta {
  const { delta, rejected, requeued } = producer.execute([candidate]);
  expect({ rejected, requeued }).toEqual({ rejected: [], requeued: [] });
  if (delta === undefined) throw new TypeError("nothing was included");
  return delta;
}

/**
 * A chain in one folder, with block 1 under protocol 0.14.0 and all others under 0.14.4:
 *
 * 1. declares `hello` and `counter`, deploys and calls `hello`;
 * 2. calls `hello`, and reverts;
 * 3. calls `hello`; produced, reverted and produced again;
 * 4. calls `hello` and declares `late`;
 * 5. after a restart, deploys `counter` and `late`, whose constructors run;
 * 6. calls `hello`.
 */
export class MigrationStory implements AsyncDisposable {
  readonly world: DeclareWorld;
  /** A class with bytecode segments. */
  readonly hello = golden("8502ba2d6ba0");
  /** A class without segments. */
  readonly counter = golden("4b150d2006d7");
  /** Declared under the newer protocol. */
  readonly late = golden("bee946bff0d8");
  readonly account: HashForms;
  readonly token: HashForms;
  readonly deployer: HashForms;
  readonly helloAddress: Felt = contractAddress(0n, 0n, this.hello.classHash, []);
  /** The first version of block 3. */
  revertedBlock: BlockHeader | undefined;
  /** Compiled class hash of `hello` while block 3 was reverted. */
  revertedHash: Felt | undefined;
  #nonce = 0n;

  private constructor(world: DeclareWorld) {
    this.world = world;
    this.account = this.#genesisClass(world.account.address);
    this.token = this.#genesisClass(world.setup.config.nativeFeeTokenAddress);
    this.deployer = this.#genesisClass(DEPLOYER);
  }

  static async play(): Promise<MigrationStory> {
    const story = new MigrationStory(await DeclareWorld.create("0.14.0"));
    const { world, hello, counter, late } = story;
    await story.#produce(
      story.#declare(hello, hello.poseidon),
      story.#declare(counter, counter.poseidon),
      story.#deploy(hello),
      story.#next(5n),
    );
    await world.restart("0.14.4");
    // The amount is no u32.
    await story.#produce(story.#next(2n ** 40n));
    const nonce = story.#nonce;
    await story.#produce(story.#next(6n));
    story.revertedBlock = world.chain.header(3);
    world.revertTo(2);
    story.revertedHash = world.chain.stateAt(3).compiledClassHashOf(hello.classHash);
    story.#nonce = nonce;
    await story.#produce(story.#next(6n));
    await story.#produce(story.#next(7n), story.#declare(late, late.blake));
    await world.restart();
    await story.#produce(story.#deploy(counter, [1n, 2n]), story.#deploy(late, [1n, 2n]));
    await story.#produce(story.#next(8n));
    await world.restart();
    return story;
  }

  /** A call of `hello`. */
  increase(nonce: Felt, amount: Felt): Candidate {
    return this.world.invoke(nonce, this.helloAddress, INCREASE, [amount]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.world[Symbol.asyncDispose]();
  }

  #next(amount: Felt): Candidate {
    return this.increase(this.#nonce++, amount);
  }

  #declare({ declared }: GoldenClass, compiledClassHash: Felt): Candidate {
    return this.world.declare(this.#nonce++, declared, compiledClassHash);
  }

  #deploy({ classHash }: HashForms, calldata: readonly Felt[] = []): Candidate {
    const parameters = [classHash, 0n, 0n, BigInt(calldata.length), ...calldata];
    return this.world.invoke(this.#nonce++, DEPLOYER, DEPLOY, parameters);
  }

  async #produce(...candidates: readonly Candidate[]): Promise<void> {
    const { world } = this;
    const number = (world.chain.latestNumber() ?? 0) + 1;
    const { producer, delta } = world.open(number, world.chain.stateAt(number - 1));
    const deltas = candidates.map((candidate) => executeOne(producer, candidate));
    const sealed = producer.seal();
    await world.commit([delta, ...deltas, sealed.delta], sealed.draft);
  }

  #genesisClass(address: Felt): HashForms {
    const { chain } = this.world;
    const classHash = chain.stateAt(0).classHashAt(address);
    return new ForeignForms(classHash, chain.casm(classHash)?.casmJson ?? "");
  }
}

/** Hashes that another library computes when they are read, which takes up to a second for each. */
class ForeignForms implements HashForms {
  readonly classHash: Felt;
  readonly #casm: CompiledSierraCasm;
  #poseidon: Felt | undefined;
  #blake: Felt | undefined;

  constructor(classHash: Felt, casmJson: string) {
    this.classHash = classHash;
    this.#casm = JSON.parse(casmJson) as CompiledSierraCasm;
  }

  get poseidon(): Felt {
    return (this.#poseidon ??= BigInt(starknet.computeCompiledClassHashPoseidon(this.#casm)));
  }

  get blake(): Felt {
    return (this.#blake ??= BigInt(starknet.computeCompiledClassHashBlake(this.#casm)));
  }
}
