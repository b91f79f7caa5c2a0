import type { Address, CellValue } from "#kernels/vm/index.ts";
import type { Felt } from "#base/primitives/index.ts";

/** Operations that a rare hint can perform on the machine that runs it. */
export interface HintContext {
  operand(name: string): CellValue;
  writeOperand(name: string, value: Felt): boolean;
  read(address: Address): CellValue;
  write(address: Address, value: Felt | Address): boolean;
}
