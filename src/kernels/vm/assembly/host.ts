/** Calls to the host (../host.ts); the name of this file is the name of the imported module. */

/** Serves a syscall whose frame starts at the address; non-zero ends the run. */
export declare function systemCall(): u32;

/** Executes a rare hint by its number in the program; non-zero ends the run. */
export declare function hostHint(number: u32): u32;

/** Tells the host that some milliseconds of work are done; it throws when the work is to end. */
export declare function pause(): void;

/** Writes the scalar of the running frame's first random point to an address. */
export declare function pointScalar(at: u32): void;

/** Checks the instance of the signature builtin that a cell was written to; non-zero ends the run. */
export declare function validateSignature(segment: u32, offset: u32): u32;

/** Asks the host to raise the budget (setBudget); 0 when it stays as it is. */
export declare function moreMemory(): u32;
