/**
 * Compiling declared and estimated classes, in other processes and within bounds. The key of everything
 * is the class hash: whoever asks for a class, it is compiled once.
 *
 * What a class is, and who moves it:
 *
 * - *waiting*: in `CompileQueue`, with a place for each party that wants it: a sender with paid declarations,
 *   all other senders of an address together, the sender of an estimate. The queue is fair between parties by
 *   the time that was spent on their classes; a class goes when nobody waits for it any more.
 * - *compiling*: a process has it. All who wait are answered together; an attempt has 60 s. It is
 *   finished also when all of them have left: what became of it is then known.
 * - *compiled*: its code is kept in memory, up to 32 Mi characters for all (`RecentlyCompiled`), and by
 *   the process in `compiled.db`.
 * - *refused for good*: the compiler says that it is no class, or too long. 4096 refusals are kept.
 * - *refused for ten minutes*: it took too long or too much memory, or the process ended in the middle
 *   twice, which the next try might not. What an estimate came to is held against estimates alone;
 *   declarations of a sender whose class was so count as estimates for as long.
 *
 * Estimates (trials), for which nobody pays, get a fifth of the time while declarations wait, and never
 * the last of several compilers; they give way first when the queue is full. So do declarations of senders,
 * and of addresses, whose last compilations nobody paid for.
 *
 * What survives:
 *
 * - A process that is killed or dies: the class is tried once more, the node goes on.
 * - A kill or a restart of the node: queue, code in memory and refusals are gone, and whoever waited was
 *   not answered. `compiled.db` stays. A declaration that was answered has its class and code in the
 *   mempool's store, and needs none of this.
 * - A revert of the chain: everything. The code of a class does not depend on the chain.
 * - A full disk: `compiled.db` is a cache. What cannot be written there is compiled again next time.
 *
 * Bounds (`COMPILE_LIMITS`): 256 classes and 64 MiB that wait, half a minute's work by what classes of their size
 * took lately (`CompileCosts`), 1024 requests and 128 MiB that wait for a
 * result. Beyond them the answer is `busy`. `--compiler-memory` bounds the memory of a process,
 * `--compiler-timeout` the time of one compilation.
 */
export { ClassCompiler, type ClassCompilerDeps } from "./class-compiler.ts";
export type { CompileOutcome, CompileRequest } from "./compile-job.ts";
export { classUnfit, type LegacyUnfit, programTooLong, unpackWithin } from "./class-size.ts";
export { CLASS_SIZE_LIMITS, COMPILE_LIMITS, MAX_BYTECODE_FELTS } from "./compile-limits.ts";
export type { CompiledClass, Compiler, CompilerAnswer, CompilerWork } from "./compiler-port.ts";
