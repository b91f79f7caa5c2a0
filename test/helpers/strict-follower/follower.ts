import { Signature, verify } from "@scure/starknet";
import { ReferenceState } from "../reference/block.ts";
import { readStrictly, type StrictForm } from "../strict-gateway/index.ts";
import { type GatewayDiff, type GatewayTrace, rpcDiff, type StrictBlock } from "./forms.ts";

/** First version in which the block hash itself is signed. */
const SIGNED_HASH_SINCE = "0.13.2";

/** A followed block from the gateway. */
export interface FollowedBlock {
  readonly block: StrictBlock;
  readonly newRoot: string;
  readonly traces: readonly GatewayTrace[];
}

/** Response of a gateway; with a status other than 200, its error. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

/**
 * Follows a gateway with the requests of Pathfinder 0.22.3, in its order, and parses responses as
 * strictly. Faults are thrown.
 */
export class StrictFollower {
  /** All followed blocks, from block 0. */
  readonly blocks: FollowedBlock[] = [];
  readonly #gateway: string;
  readonly #state = new ReferenceState();
  readonly #classes = new Set<string>();
  #publicKey = "";

  /** @param gateway - base URL */
  constructor(gateway: string) {
    this.#gateway = gateway;
  }

  /** Requests the gateway's identity. */
  async begin(): Promise<void> {
    this.#publicKey = await this.read<string>("publicKey", "get_public_key");
    await this.read("contractAddresses", "get_contract_addresses");
    const first = await this.read<{ block_number: bigint }>(
      "headerOnly",
      "get_block?blockNumber=0&headerOnly=true",
    );
    requireSame("first block", first.block_number, 0n);
  }

  /** Fetches all blocks, and compares the last state root with its own. */
  async catchUp(): Promise<void> {
    while (await this.#next()) continue;
    const last = this.blocks.at(-1);
    requireSame("state root", BigInt(last?.newRoot ?? "0x0"), this.#state.root());
    const latest = await this.read<{ block_hash: string }>(
      "headerOnly",
      "get_block?blockNumber=latest&headerOnly=true",
    );
    requireSame("newest block", latest.block_hash, last?.block.block_hash);
    const pending = await this.read<StrictBlock>("block", "get_block?blockNumber=pending");
    requireSame("pending block", pending.block_hash, last?.block.block_hash);
  }

  /** Sends a request, and parses the response strictly. */
  async read<T>(form: StrictForm, question: string): Promise<T> {
    const { status, text } = await this.ask(question);
    requireSame(`status of ${question}: ${text.slice(0, 200)}`, status, 200);
    return readStrictly(form, text) as T;
  }

  /** Sends a request to the feeder gateway. */
  async ask(question: string): Promise<Answer> {
    const response = await fetch(`${this.#gateway}/feeder_gateway/${question}`);
    return { status: response.status, text: await response.text() };
  }

  /** Fetches the next block. @returns whether there was one */
  async #next(): Promise<boolean> {
    const number = this.blocks.length;
    const at = `blockNumber=${number}`;
    const answer = await this.ask(`get_state_update?${at}&includeBlock=true`);
    if (answer.status === 400) {
      const { code } = readStrictly("error", answer.text) as { code: string };
      requireSame("code after the newest block", code, "StarknetErrorCode.BLOCK_NOT_FOUND");
      return false;
    }
    const { block, state_update: update } = readStrictly("wholeBlock", answer.text) as {
      readonly block: StrictBlock;
      readonly state_update: {
        readonly block_hash: string;
        readonly new_root: string;
        readonly state_diff: GatewayDiff;
      };
    };
    requireSame("number", block.block_number, BigInt(number));
    requireSame("hash of the update", update.block_hash, block.block_hash);
    const parent = this.blocks.at(-1)?.block.block_hash ?? "0x0";
    requireSame(`parent of ${number}`, block.parent_block_hash, parent);
    await this.#requireSigned(block);
    await this.#takeClasses(update.state_diff);
    this.#state.apply(rpcDiff(update.state_diff));
    const { traces } = await this.read<{ traces: GatewayTrace[] }>(
      "blockTraces",
      `get_block_traces?${at}`,
    );
    this.blocks.push({ block, newRoot: update.new_root, traces });
    return true;
  }

  async #requireSigned({ block_number, block_hash, starknet_version }: StrictBlock): Promise<void> {
    const { block_hash: signed, signature } = await this.read<{
      readonly block_hash: string;
      readonly signature: readonly string[];
    }>("signature", `get_signature?blockNumber=${block_number}`);
    requireSame("signed hash", signed, block_hash);
    // In earlier versions the signed value is a hash of two values; Pathfinder has one of them and
    // only warns.
    if (Bun.semver.order(starknet_version, SIGNED_HASH_SINCE) < 0) return;
    const [r = 0n, s = 0n] = signature.map(BigInt);
    // The public key is a single coordinate, which has two points.
    const isSigned = ["02", "03"].some((sign) =>
      verify(new Signature(r, s), digits(block_hash), sign + digits(this.#publicKey)),
    );
    requireSame(`signature of ${block_number}`, isSigned, true);
  }

  /** Requests each class once, Sierra classes with their compiled code. */
  async #takeClasses(diff: GatewayDiff): Promise<void> {
    const sierra = diff.declared_classes.map(({ class_hash }) => class_hash);
    const deployed = diff.deployed_contracts.map(({ class_hash }) => class_hash);
    for (const hash of [...sierra, ...diff.old_declared_contracts, ...deployed]) {
      if (this.#classes.has(hash)) continue;
      this.#classes.add(hash);
      const query = `classHash=${hash}&blockNumber=pending`;
      await this.read("contractClass", `get_class_by_hash?${query}`);
      if (!sierra.includes(hash)) continue;
      await this.read("compiledClass", `get_compiled_class_by_class_hash?${query}`);
    }
  }
}

const digits = (felt: string): string => BigInt(felt).toString(16).padStart(64, "0");

/**
 * Checks that two values are equal.
 *
 * @throws {TypeError} if the values differ
 */
export function requireSame(what: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  throw new TypeError(`${what}: ${String(found)}, not ${String(expected)}`);
}
