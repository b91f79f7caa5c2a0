import { describe, expect, test } from "bun:test";
import {
  contractAddress,
  casmClassFromJson,
  compiledClassHash,
  decodeBundle,
} from "#protocol/chain/index.ts";
import { selectorFromName } from "#protocol/crypto/index.ts";
import { feltFromShortString } from "#base/primitives/index.ts";
import type { PendingDelta } from "#engine/state/index.ts";
import type { Candidate } from "#services/admission/index.ts";
import type { BatchResult, BlockProducer, SealedDraft } from "#services/sequencer/index.ts";
import { DeclareWorld, renamedClass } from "#test/helpers/declare-world.ts";
import { encodedClassOf } from "#test/helpers/encoded-class.ts";

const DEPLOYER = 0x41a78e741e5af2fec34b695679bc6891742439f7afb8484ecd7766661ad02bfn;
/** ABIs that must not be parsed and serialized again to stay the same. */
const TOKEN = renamedClass("erc20", '[ {"b":1,  "a":"\\u00e9 \u00e9 \u{1f9ea}"} ]\n');
const ACCOUNT = renamedClass("account", "");

interface Block {
  readonly deltas: readonly PendingDelta[];
  readonly draft: SealedDraft;
}

function only(producer: BlockProducer, candidate: Candidate): PendingDelta {
  const { delta, rejected, requeued }: BatchResult = producer.execute([candidate]);
  expect({ rejected, requeued }).toEqual({ rejected: [], requeued: [] });
  if (delta === undefined) throw new TypeError("nothing was included");
  for (const { status } of delta.receipts) expect(status).toEqual({ kind: "succeeded" });
  return delta;
}

/** Addresses and arguments that both blocks need. */
function placesOf({ account }: DeclareWorld) {
  const { address, publicKey } = account;
  const constructor = [
    feltFromShortString("Coin"),
    feltFromShortString("C"),
    18n,
    1000n,
    0n,
    address,
    0n,
  ];
  return {
    constructor,
    token: contractAddress(0n, 7n, TOKEN.classHash, constructor),
    newAccount: contractAddress(0n, 1n, ACCOUNT.classHash, [publicKey]),
  };
}

/** Block 1: both classes are declared, deployed and called. */
function declaringBlock(world: DeclareWorld): Block {
  const { token, newAccount, constructor } = placesOf(world);
  const { nativeFeeTokenAddress } = world.setup.config;
  const transfer = selectorFromName("transfer");
  const { producer, delta } = world.open(1, world.chain.stateAt(0));
  const deploy = [TOKEN.classHash, 7n, 0n, BigInt(constructor.length), ...constructor];
  const deltas = [
    world.declare(0n, TOKEN),
    world.invoke(1n, DEPLOYER, selectorFromName("deployContract"), deploy),
    world.invoke(2n, token, transfer, [0xabcn, 5n, 0n]),
    world.declare(3n, ACCOUNT),
    world.invoke(4n, nativeFeeTokenAddress, transfer, [newAccount, 10n ** 23n, 0n]),
    world.deployAccount(newAccount, ACCOUNT.classHash),
  ].map((candidate) => only(producer, candidate));
  const sealed = producer.seal();
  return { deltas: [delta, ...deltas, sealed.delta], draft: sealed.draft };
}

describe.each(["0.14.0", "0.14.4"])("a class declared under protocol %s", (version) => {
  test("can be deployed and called in the block that declares it", async () => {
    await using world = await DeclareWorld.create(version);
    const { deltas, draft } = declaringBlock(world);
    const { token, newAccount } = placesOf(world);
    expect(deltas.map(({ classes }) => classes.map(({ classHash }) => classHash))).toEqual([
      [],
      [TOKEN.classHash],
      [],
      [],
      [ACCOUNT.classHash],
      [],
      [],
      [],
    ]);
    expect(draft.classes).toEqual([encodedClassOf(TOKEN), encodedClassOf(ACCOUNT)]);
    expect(draft.stateDiff.deployedContracts).toEqual(
      new Map([
        [token, TOKEN.classHash],
        [newAccount, ACCOUNT.classHash],
      ]),
    );
    const form = version === "0.14.0" ? "poseidon" : "blake";
    const hashOf = ({ casmJson }: typeof TOKEN) =>
      compiledClassHash(casmClassFromJson(casmJson ?? ""), form);
    expect(draft.stateDiff.declaredClasses).toEqual(
      new Map([
        [TOKEN.classHash, hashOf(TOKEN)],
        [ACCOUNT.classHash, hashOf(ACCOUNT)],
      ]),
    );
    expect(draft.stateDiff.migratedCompiledClasses.has(TOKEN.classHash)).toBe(false);
  });

  test("gives the same receipts from the pending and the accepted state", async () => {
    await using world = await DeclareWorld.create(version);
    const { deltas, draft } = declaringBlock(world);
    const { token, newAccount } = placesOf(world);
    const next = (state: Parameters<DeclareWorld["open"]>[1]) => {
      const { producer } = world.open(2, state);
      only(producer, world.invoke(5n, token, selectorFromName("transfer"), [0xdefn, 6n, 0n]));
      only(producer, world.invoke(6n, newAccount, selectorFromName("get_public_key"), []));
      return producer.seal().draft;
    };
    const fromPending = next(world.overlay(deltas).state());
    await world.commit(deltas, draft);
    await world.restart();
    const fromAccepted = next(world.chain.stateAt(1));
    expect(fromPending.receipts).toHaveLength(2);
    expect(fromPending).toEqual(fromAccepted);
  });

  test("is stored unchanged while pending, accepted and after a restart", async () => {
    await using world = await DeclareWorld.create(version);
    const { deltas, draft } = declaringBlock(world);
    const overlay = world.overlay(deltas);
    const hashes = [TOKEN, ACCOUNT].map((declared) => world.compiledHash(declared));
    const read = (state: ReturnType<typeof overlay.state>) =>
      [TOKEN, ACCOUNT].map(({ classHash }) => [
        state.compiledClassHashOf(classHash),
        state.executableClass(classHash),
      ]);
    const pending = read(overlay.state());
    expect(pending.map(([hash]) => hash)).toEqual(hashes);
    for (const { classHash, contractClass } of [TOKEN, ACCOUNT]) {
      expect(overlay.newest()?.declaredClass?.(classHash)).toEqual(contractClass);
    }
    await world.commit(deltas, draft);
    await world.restart();
    expect(read(world.chain.stateAt(1))).toEqual(pending);
    expect(world.chain.stateAt(0).executableClass(TOKEN.classHash)).toBeUndefined();
    for (const { classHash, contractClass, casmJson } of [TOKEN, ACCOUNT]) {
      expect(world.chain.declaredClass(classHash)).toEqual({ contractClass, declaredAtBlock: 1 });
      expect(world.chain.casm(classHash)?.casmJson).toBe(casmJson ?? "");
    }
    const { classes } = decodeBundle(world.chain.bundleBytes(1) ?? new Uint8Array());
    const ascending = [TOKEN, ACCOUNT].sort((a, b) => (a.classHash < b.classHash ? -1 : 1));
    expect(classes).toEqual(ascending);
  });
});

describe("a declaration that is not included", () => {
  test("leaves no class if its compiled class hash is of the older form", async () => {
    await using world = await DeclareWorld.create("0.14.4");
    const { producer, delta } = world.open(1, world.chain.stateAt(0));
    const poseidon = compiledClassHash(casmClassFromJson(TOKEN.casmJson ?? ""), "poseidon");
    const { rejected } = producer.execute([world.declare(0n, TOKEN, poseidon)]);
    expect(rejected.map(({ error }) => error.code)).toEqual(["COMPILED_CLASS_HASH_MISMATCH"]);
    const sealed = producer.seal();
    expect([delta, sealed.delta].flatMap(({ classes }) => classes)).toEqual([]);
    expect(sealed.draft.classes).toEqual([]);
  });

  test("leaves the class of an earlier declaration of the same class", async () => {
    await using world = await DeclareWorld.create("0.14.4");
    const { producer } = world.open(1, world.chain.stateAt(0));
    const batch = [world.declare(0n, TOKEN), world.declare(1n, TOKEN)];
    const { delta, rejected } = producer.execute(batch);
    expect(rejected.map(({ error }) => error.code)).toEqual(["CLASS_ALREADY_DECLARED"]);
    expect(delta?.classes).toEqual([encodedClassOf(TOKEN)]);
  });

  test("is rejected without its class", async () => {
    await using world = await DeclareWorld.create("0.14.4");
    const { producer } = world.open(1, world.chain.stateAt(0));
    const { transaction } = world.declare(0n, TOKEN);
    const { rejected } = producer.execute([{ transaction, prevalidated: undefined }]);
    expect(rejected.map(({ error }) => error.code)).toEqual(["UNSUPPORTED"]);
  });
});
