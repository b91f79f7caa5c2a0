/**
 * Compiles declared and estimated classes, in other processes and within bounds. Everything is keyed by class
 * hash: a class is compiled once, however many request it.
 *
 * States of a class, and what moves it on:
 *
 * - *waiting*: in `CompileQueue`, with a place for each party that requests it. A party is a sender with paid
 *   declarations, all other senders of an address together, or the sender of an estimate. The queue is fair
 *   between parties by the time spent on their classes. A class without requests leaves the queue.
 * - *compiling*: a process compiles it. All pending requests are answered together; an attempt has 60 s. It
 *   finishes even when all requests have been abandoned, so that its result is known.
 * - *compiled*: its code is cached in memory, up to 32 Mi characters in total (`RecentlyCompiled`), and by
 *   the process in `compiled.db`.
 * - *refused permanently*: the compiler reports that the class is invalid or too long. 4096 refusals are
 *   kept.
 * - *refused for ten minutes*: it took too much time or memory, or the process died midway twice; the next
 *   attempt might succeed. A result of an estimate counts against estimates only. For the same ten minutes,
 *   declarations of the sender of such a class count as estimates.
 *
 * Estimates (trials), which are unpaid, get a fifth of the time while declarations wait, and never the last
 * of several compilers. They are the first to be dropped when the queue is full. The same holds for
 * declarations of senders and addresses whose last compilations went unpaid.
 *
 * What survives:
 *
 * - The death of a process: the class is tried once more, and the node continues.
 * - A kill or restart of the node: queue, cached code and refusals are lost, and pending requests go
 *   unanswered. `compiled.db` stays. An answered declaration has its class and code in the mempool's store,
 *   and needs none of this.
 * - A revert of the chain: everything. The code of a class does not depend on the chain.
 * - A full disk: `compiled.db` is a cache. What cannot be written is compiled again next time.
 *
 * Bounds (`COMPILE_LIMITS`): 256 queued classes and 64 MiB; half a minute of work, estimated from recent
 * compilations of classes of their size (`CompileCosts`); 1024 pending requests and 128 MiB. Beyond them the
 * answer is `busy`. `--compiler-memory` bounds the memory of a process, `--compiler-timeout` the time of one
 * compilation.
 */
export { ClassCompiler, type ClassCompilerDeps } from "./class-compiler.ts";
export type { CompileOutcome, CompileRequest } from "./compile-job.ts";
export { classUnfit, type LegacyUnfit, programTooLong, unpackWithin } from "./class-size.ts";
export { CLASS_SIZE_LIMITS, COMPILE_LIMITS, MAX_BYTECODE_FELTS } from "./compile-limits.ts";
export type { CompiledClass, Compiler, CompilerAnswer, CompilerWork } from "./compiler-port.ts";
