import type { StatementFactory } from "../statement.ts";
import type { ExplorerSchema } from "./schema.ts";

/** Prepares the statements that change the index. */
export function writeStatements(statements: StatementFactory<ExplorerSchema>) {
  type Three = [a: number, b: number, c: number];
  type Above = [id: number, block: number];
  return {
    feltId: statements.of<[value: Uint8Array]>()((db, [value]) =>
      db.selectFrom("felt").select("id").where("value", "=", value),
    ),
    addFelt: statements.of<[id: number, value: Uint8Array]>()((db, [id, value]) =>
      db.insertInto("felt").values({ id, value }),
    ),
    removeFelts: statements.of<[above: number]>()((db, [above]) =>
      db.deleteFrom("felt").where("id", ">", above),
    ),
    addBlock: statements.of<
      [
        number: number,
        timestamp: number,
        transactions: number,
        l2Gas: bigint,
        lastFelt: number,
        hash: Uint8Array,
        ids: Uint8Array,
      ]
    >()((db, [number, timestamp, transactions, l2_gas, last_felt, hash, ids]) =>
      db
        .insertInto("indexed_block")
        .values({ number, timestamp, transactions, l2_gas, last_felt, hash, ids }),
    ),
    idsOf: statements.of<[number: number]>()((db, [number]) =>
      db.selectFrom("indexed_block").select("ids").where("number", "=", number),
    ),
    removeBlocks: statements.of<[above: number]>()((db, [above]) =>
      db.deleteFrom("indexed_block").where("number", ">", above),
    ),
    addSent: statements.of<Three>()((db, [sender, block, position]) =>
      db.insertInto("sent").values({ sender, block, position }),
    ),
    removeSent: statements.of<Above>()((db, [sender, block]) =>
      db.deleteFrom("sent").where("sender", "=", sender).where("block", ">", block),
    ),
    addTouched: statements.of<Three>()((db, [contract, block, position]) =>
      db.insertInto("touched").values({ contract, block, position }),
    ),
    removeTouched: statements.of<Above>()((db, [contract, block]) =>
      db.deleteFrom("touched").where("contract", "=", contract).where("block", ">", block),
    ),
    addTransfer: statements.of<
      [holder: number, block: number, position: number, event: number, token: number]
    >()((db, [holder, block, position, event, token]) =>
      db.insertInto("transfer").values({ holder, block, position, event, token }),
    ),
    removeTransfers: statements.of<Above>()((db, [holder, block]) =>
      db.deleteFrom("transfer").where("holder", "=", holder).where("block", ">", block),
    ),
    addContract: statements.of<
      [classId: number, block: number, contract: number, replaced: number]
    >()((db, [classId, block, contract, replaced]) =>
      db.insertInto("class_contract").values({ class: classId, block, contract, replaced }),
    ),
    removeContracts: statements.of<Above>()((db, [classId, block]) =>
      db.deleteFrom("class_contract").where("class", "=", classId).where("block", ">", block),
    ),
    addDeclared: statements.of<Three>()((db, [block, place, classId]) =>
      db.insertInto("declared").values({ block, place, class: classId }),
    ),
    removeDeclared: statements.of<[above: number]>()((db, [above]) =>
      db.deleteFrom("declared").where("block", ">", above),
    ),
  };
}
