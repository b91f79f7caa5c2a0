import { bytesFromFelt } from "#base/primitives/index.ts";
import type { ForkPin } from "#app/node/setup/fork.ts";
import type { ForkOrigin } from "#app/node/storage/folder/prepare-fork.ts";
import { encodeOriginClass } from "#io/origin/index.ts";
import { type BlockHeader } from "#protocol/chain/index.ts";
import { PUBLIC_ADDRESSES } from "#protocol/config/index.ts";
import { testHeader } from "./blocks.ts";

/** Fork block of {@link forkPin}. */
export const FORK_BLOCK = 100;

/** A fork block with ten ancestors and made-up hashes, of a network that no preset knows. */
export function forkPin(changed: Partial<BlockHeader> = {}, chainId = "ORIGIN"): ForkPin {
  return {
    chainId,
    header: { ...testHeader(FORK_BLOCK), ...changed },
    ancestors: Array.from({ length: 10 }, (_, i) => testHeader(FORK_BLOCK - 10 + i)),
  };
}

/** State of an origin, by the address of a contract and a class hash. */
export interface OriginContents {
  readonly contracts?: ReadonlyMap<bigint, bigint>;
  readonly declared?: ReadonlySet<bigint>;
}

/** An origin that has the public fee tokens, with records of the queries. */
export interface RecordedOrigin extends ForkOrigin {
  readonly asked: string[];
}

/**
 * Creates an origin that answers with these contents and the public fee tokens, and records the
 * queries.
 */
export function originWith(pin: ForkPin, contents: OriginContents = {}): RecordedOrigin {
  const contracts = new Map([
    [PUBLIC_ADDRESSES.nativeToken, 0x70cen],
    [PUBLIC_ADDRESSES.ethToken, 0x70cen],
    ...(contents.contracts ?? []),
  ]);
  const asked: string[] = [];
  return {
    pin,
    original: null,
    asked,
    answer(query) {
      asked.push(query.kind);
      switch (query.kind) {
        case "classHash":
          return Promise.resolve(bytesFromFelt(contracts.get(query.address) ?? 0n));
        case "class":
          return Promise.resolve(
            contents.declared?.has(query.classHash) === true
              ? encodeOriginClass({
                  contractClass: Uint8Array.of(),
                  casmJson: null,
                  compiledClassHash: 0n,
                })
              : null,
          );
        default:
          return Promise.resolve(bytesFromFelt(0n));
      }
    },
  };
}
