/** Calls to the host (../host.ts); this file's name is the name of the imported module. */

/** Serves a syscall; a non-zero result ends the run. */
export declare function systemCall(): u32;

/** Executes a rare hint by its number in the program; a non-zero result ends the run. */
export declare function hostHint(number: u32): u32;

/** Called after some milliseconds of work; the host throws to abort the work. */
export declare function pause(): void;

/** Writes the scalar of the running frame's first random point to an address. */
export declare function pointScalar(at: u32): void;

/** Checks the signature builtin's instance that contains a written cell; a non-zero result ends the run. */
export declare function validateSignature(segment: u32, offset: u32): u32;

/** Requests a larger budget (setBudget); 0 if it is unchanged. */
export declare function moreMemory(): u32;
