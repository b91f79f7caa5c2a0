import { Cause, Kind } from "./abi.generated";
import { Cells } from "./cells";
import { Failure } from "./failure";
import { F } from "./frame";
import { Operands } from "./operands";
import { ZERO } from "./arithmetic";
import { Cost, Work } from "./work";

/** Known values of one Felt252Dict; a hash table with linear probing on the segment heap. */
@unmanaged
class Dictionary {
  /** Number of the dictionary in order of creation. */
  index: u32;
  count: u32;
  /** Log2 of the table's number of entries; an entry is a key cell and a value cell. */
  bits: u32;
  table: usize;
  unused0: u64;
  unused1: u64;
}

const POINTER: usize = memory.data(32, 16);
const KEY: usize = memory.data(32, 16);
const VALUE: usize = memory.data(32, 16);
const INFOS: usize = memory.data(32, 16);

export namespace Seed {
  /** Random per machine, so that colliding keys cannot be chosen. Does not affect results. */
  export let value: u64 = 0x9e3779b97f4a7c15;
}

/**
 * Executes the hints of Cairo dictionaries, and keeps the entries of each dictionary in a hash table on the
 * segment heap.
 */
export class Dictionaries {
  /**
   * AllocFelt252Dict: [ptr - 2] is the number of dictionaries so far, [ptr - 3] points to their infos, three
   * cells each.
   */
  static allocate(): bool {
    if (!Operands.address(POINTER)) return false;
    const segment = load<u64>(POINTER, 8);
    const offset = load<u64>(POINTER);
    if (offset < 3) return Failure.plain(Cause.HINT_OPERAND);
    const count = Dictionaries.integerAt(segment, offset - 2);
    if (count == 0) return false;
    const infos = Cells.at(segment, offset - 3);
    if (!Cells.isKnown(infos)) return Failure.address(Cause.UNKNOWN_CELL, segment, offset - 3);
    if (!Cells.isAddress(infos))
      return Failure.address(Cause.EXPECTED_ADDRESS, segment, offset - 3);
    if (!Cells.isU64(count) || load<u64>(count) > 1 << 32) return Failure.plain(Cause.HINT_OPERAND);
    const infoSegment = load<u64>(infos, 8);
    const infoOffset = load<u64>(infos) + 3 * load<u64>(count);
    const made = Cells.addSegment(Kind.PLAIN);
    if (made < 0) return false;
    const header = Cells.allocate(0);
    if (header == 0) return Failure.plain(Cause.MEMORY_LIMIT);
    Cells.segment(made).dictionary = header;
    changetype<Dictionary>(header).index = F.dictionaryCount++;
    Cells.setAddress(INFOS, u64(made), 0);
    return Cells.write(infoSegment, infoOffset, INFOS);
  }

  /** Felt252DictEntryInit: writes the current value after the key. */
  static entryInit(): bool {
    if (!Operands.address(POINTER) || !Operands.integer(KEY)) return false;
    const dictionary = Dictionaries.of(POINTER);
    if (dictionary == 0) return false;
    return Cells.write(
      load<u64>(POINTER, 8),
      load<u64>(POINTER) + 1,
      Dictionaries.get(changetype<Dictionary>(dictionary), KEY),
    );
  }

  /** Felt252DictEntryUpdate: the key is three cells before the pointer. */
  static entryUpdate(): bool {
    if (!Operands.address(POINTER) || !Operands.value(VALUE)) return false;
    const segment = load<u64>(POINTER, 8);
    const offset = load<u64>(POINTER);
    if (offset < 3) return Failure.plain(Cause.HINT_OPERAND);
    const key = Dictionaries.integerAt(segment, offset - 3);
    if (key == 0) return false;
    const dictionary = Dictionaries.of(POINTER);
    if (dictionary == 0) return false;
    return Dictionaries.set(changetype<Dictionary>(dictionary), key, VALUE);
  }

  /** GetSegmentArenaIndex. */
  static arenaIndex(): bool {
    if (!Operands.address(POINTER)) return false;
    const dictionary = Dictionaries.of(POINTER);
    return dictionary != 0 && Operands.storeNumber(u64(changetype<Dictionary>(dictionary).index));
  }

  /** Felt252DictRead of old compilers. */
  static read(): bool {
    if (!Operands.address(POINTER) || !Operands.integer(KEY)) return false;
    const dictionary = Dictionaries.of(POINTER);
    if (dictionary == 0) return false;
    return Operands.put(Dictionaries.get(changetype<Dictionary>(dictionary), KEY));
  }

  /** Felt252DictWrite of old compilers: also writes the previous value after the key. */
  static write(): bool {
    if (!Operands.address(POINTER) || !Operands.integer(KEY) || !Operands.value(VALUE))
      return false;
    const dictionary = Dictionaries.of(POINTER);
    if (dictionary == 0) return false;
    const map = changetype<Dictionary>(dictionary);
    const previous = Dictionaries.get(map, KEY);
    if (!Cells.write(load<u64>(POINTER, 8), load<u64>(POINTER) + 1, previous)) return false;
    return Dictionaries.set(map, KEY, VALUE);
  }

  /** Returns the cell at an offset if it holds an integer, else 0 with a recorded failure. */
  private static integerAt(segment: u64, offset: u64): usize {
    const cell = Cells.at(segment, offset);
    if (!Cells.isKnown(cell)) Failure.address(Cause.UNKNOWN_CELL, segment, offset);
    else if (Cells.isAddress(cell)) Failure.address(Cause.EXPECTED_INTEGER, segment, offset);
    else return cell;
    return 0;
  }

  private static of(pointer: usize): usize {
    const segment = load<u64>(pointer, 8);
    const found = segment < u64(F.segmentCount) ? Cells.segment(segment).dictionary : 0;
    if (found == 0) Failure.plain(Cause.HINT_NO_DICTIONARY);
    return found;
  }

  /** Returns the value of a key; the integer 0 if it was never set. */
  private static get(map: Dictionary, key: usize): usize {
    if (map.count == 0) return ZERO;
    const entry = Dictionaries.find(map.table, map.bits, key);
    return Cells.isKnown(entry) ? entry + 32 : ZERO;
  }

  private static set(map: Dictionary, key: usize, value: usize): bool {
    if (map.count * 4 >= 3 << map.bits || map.table == 0) {
      if (!Dictionaries.grow(map)) return false;
    }
    const entry = Dictionaries.find(map.table, map.bits, key);
    if (!Cells.isKnown(entry)) {
      Cells.copy(entry, key);
      map.count++;
    }
    Cells.copy(entry + 32, value);
    return true;
  }

  /** Returns the entry of a key, or the empty one where it belongs. */
  private static find(table: usize, bits: u32, key: usize): usize {
    const mask = (1 << bits) - 1;
    let at = Dictionaries.hash(key) & mask;
    while (true) {
      const entry = table + (usize(at) << 6);
      if (!Cells.isKnown(entry) || Cells.same(entry, key)) return entry;
      at = (at + 1) & mask;
    }
  }

  private static hash(key: usize): u32 {
    let h = (load<u64>(key) ^ Seed.value) * 0xff51afd7ed558ccd;
    h = ((h ^ (h >> 32)) + load<u64>(key, 8)) * 0xc4ceb9fe1a85ec53;
    h = ((h ^ (h >> 32)) + load<u64>(key, 16)) * 0xff51afd7ed558ccd;
    h = ((h ^ (h >> 32)) + (load<u64>(key, 24) << 4)) * 0xc4ceb9fe1a85ec53;
    return u32(h >> 32) ^ u32(h >> 16);
  }

  /** Clears the dictionary of a segment and its header. */
  static clear(header: usize): void {
    const map = changetype<Dictionary>(header);
    if (map.table != 0) Work.clear(map.table, (1 as usize) << (map.bits + 6));
    memory.fill(header, 0, 32);
  }

  private static grow(map: Dictionary): bool {
    const bits: u32 = map.table == 0 ? 3 : map.bits + 1;
    const table = bits > 22 ? 0 : Cells.allocate(bits + 1);
    if (table == 0) return Failure.plain(Cause.MEMORY_LIMIT);
    if (map.table != 0) {
      const end = map.table + ((1 as usize) << (map.bits + 6));
      for (let entry = map.table; entry < end; entry += 64) {
        Work.add(Cost.COMPARE);
        if (Cells.isKnown(entry)) memory.copy(Dictionaries.find(table, bits, entry), entry, 64);
      }
      Cells.release(map.table, map.bits + 1, 2 << map.bits);
    }
    map.table = table;
    map.bits = bits;
    return true;
  }
}
