import type { QueryContext } from "#api/rpc/index.ts";
import type { JsonObject } from "#base/codec/index.ts";
import { type Felt, hexFromFelt } from "#base/primitives/index.ts";
import type { ClassPlace, FoundClass, RowPlace } from "#io/storage/index.ts";
import { senderOf } from "#services/explorer-index/index.ts";
import type { Covered, Page } from "../index-access.ts";
import { cursorOf } from "../parameters.ts";
import { missingRow } from "./missing-row.ts";

/** Lists the contracts that got a class, newest first. */
export function contractPage(
  { reader, to }: Covered,
  classHash: Felt,
  after: RowPlace | null,
  limit: number,
): Page {
  const before = after === null || after.block > to ? { block: to + 1, order: 0 } : after;
  const found = reader.contracts(classHash, before, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(({ contract, block, how }) => ({
      address: hexFromFelt(contract),
      block_number: block,
      how,
    })),
    next: found.length > limit && last !== undefined ? cursorOf(last.block, last.order) : null,
  };
}

/** Lists declared classes, newest first. */
export function declaredPage(
  context: QueryContext,
  { reader, to }: Covered,
  after: ClassPlace | null,
  limit: number,
): Page {
  const before =
    after === null || after.block > to ? { block: to + 1, index: 0, classId: 0 } : after;
  const found = reader.declared(before, limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1)?.place;
  const isMore = found.length > limit && last !== undefined;
  return {
    items: page.map((each) => classItem(context, each)),
    next: isMore ? cursorOf(last.block, last.index, last.classId) : null,
  };
}

function classItem({ chain }: QueryContext, { block, index, classHash }: FoundClass): JsonObject {
  const common = { class_hash: hexFromFelt(classHash), block_number: block };
  // Classes of a genesis have no transaction.
  if (index === null) return { ...common, sender: null, hash: null };
  const found = chain.transactionAt({ blockNumber: block, index });
  const sender = found === undefined ? null : senderOf(found.transaction);
  if (found === undefined || sender === null) return missingRow(block);
  return { ...common, sender: hexFromFelt(sender), hash: hexFromFelt(found.hash) };
}
