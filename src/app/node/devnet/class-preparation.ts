import { DevnetFault, type SuppliedClass } from "#api/rpc/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import {
  type CasmHashFunction,
  encodeContractClass,
  type PackedLegacyClass,
  type SierraClass,
} from "#protocol/chain/index.ts";
import {
  type ClassCompiler,
  classUnfit,
  type Declaration,
  encodeDeclaration,
  type PreparedDeclaration,
} from "#services/admission/index.ts";
import type { ClassChange } from "#services/sequencer/index.ts";

/** Dependencies of {@link ClassPreparation}. */
export interface ClassPreparationDeps {
  /** Hashes the class of an encoded declaration; `undefined`: there is no room, or the node stops. */
  readonly name: (bytes: Uint8Array) => Promise<PreparedDeclaration | undefined>;
  readonly compiler: Pick<ClassCompiler, "compile">;
  /** The hash function of the chain's protocol version. */
  readonly hashFunction: CasmHashFunction;
}

/** Result for one class. */
export type PreparedClass =
  | ({ readonly kind: "prepared" } & ClassChange)
  /** `definition`: the class is wrong; `value`: it has another hash than the request names. */
  | {
      readonly kind: "refused";
      readonly code: "definition" | "value";
      readonly reason: string;
    };

/** Hashes and compiles classes that no transaction declares. */
export class ClassPreparation {
  readonly #deps: ClassPreparationDeps;

  constructor(deps: ClassPreparationDeps) {
    this.#deps = deps;
  }

  /** @throws {DevnetFault} when the node is busy */
  async prepare(supplied: SuppliedClass): Promise<PreparedClass> {
    const { contractClass } = supplied;
    const unfit = contractClass.kind === "sierra" ? classUnfit(contractClass) : undefined;
    if (unfit !== undefined) return refused("definition", unfit.reason);
    const named = await this.#deps.name(encodeDeclaration(carrierOf(contractClass)));
    if (named === undefined) throw new DevnetFault("the node is busy: try again later");
    if (named.kind === "rejected") return refused("definition", named.reason);
    const { classHash } = named.hashed.transaction;
    const wrong = mismatch("class hash", supplied.classHash, classHash);
    if (wrong !== undefined) return wrong;
    const contents = named.unpacked ?? encodedSierra(contractClass);
    const compiled = await this.#compile(contractClass, classHash, contents);
    if (compiled.kind === "refused") return compiled;
    const { casmJson, compiledClassHash } = compiled;
    return (
      mismatch("compiled class hash", supplied.compiledClassHash, compiledClassHash) ?? {
        kind: "prepared",
        encoded: { classHash, contractClass: contents, casmJson },
        compiledClassHash,
      }
    );
  }

  async #compile(
    { kind }: SierraClass | PackedLegacyClass,
    classHash: Felt,
    classBytes: Uint8Array,
  ): Promise<Compiled | Refused> {
    if (kind === "packed") return { kind: "compiled", casmJson: null, compiledClassHash: 0n };
    const { compiler, hashFunction } = this.#deps;
    const outcome = await compiler.compile({ sender: NO_SENDER, classHash, classBytes });
    switch (outcome.kind) {
      case "compiled":
        return {
          kind: "compiled",
          casmJson: outcome.casmJson,
          compiledClassHash: outcome.hashes[hashFunction],
        };
      case "refused":
        return refused("definition", outcome.reason);
      case "busy":
        throw new DevnetFault(`${outcome.reason}; try again in ${outcome.retryAfterSeconds} s`);
    }
  }
}

interface Compiled {
  readonly kind: "compiled";
  readonly casmJson: string | null;
  readonly compiledClassHash: Felt;
}

type Refused = Extract<PreparedClass, { readonly kind: "refused" }>;

const NO_SENDER: Felt = 0n;

function refused(code: Refused["code"], reason: string): Refused {
  return { kind: "refused", code, reason };
}

function mismatch(name: string, expected: Felt | undefined, actual: Felt): Refused | undefined {
  if (expected === undefined || expected === actual) return undefined;
  const is = actual === 0n ? `there is no ${name}` : `the ${name} is ${hexFromFelt(actual)}`;
  return refused("value", `${is}, not ${hexFromFelt(expected)}`);
}

function encodedSierra(contractClass: SierraClass | PackedLegacyClass): Uint8Array {
  return contractClass.kind === "sierra" ? encodeContractClass(contractClass) : new Uint8Array();
}

/** A declaration that carries a class to the thread that hashes it; it is never submitted. */
function carrierOf(contractClass: SierraClass | PackedLegacyClass): Declaration {
  const common = { type: "DECLARE", senderAddress: NO_SENDER, nonce: 0n, signature: [] } as const;
  if (contractClass.kind === "packed") {
    return { transaction: { ...common, version: 1, maxFee: 0n }, contractClass };
  }
  const transaction = { ...common, version: 2, maxFee: 0n, compiledClassHash: 0n } as const;
  return { transaction, contractClass };
}
