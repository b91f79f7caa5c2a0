/** Where the figures were measured; they are medians. */
export const MACHINE =
  "two cores of an Intel Xeon at 2.5 GHz (virtual machine), Linux x86-64, Bun 1.4.5, wide build, the client on the same machine";

/** A figure, with the command of `./scripts/bench` that prints it. */
export interface Figure {
  readonly what: string;
  readonly figure: string;
  /** Name of a file of `test/bench` without its ending. */
  readonly bench: string;
}

/** All of them, written by hand after a run. */
export const FIGURES: readonly Figure[] = [
  { what: "felt multiplication", figure: "14 ns (BigInt: 50 ns)", bench: "field" },
  {
    what: "Pedersen alone / in batches of 512",
    figure: "9.6 us / 5.4 us",
    bench: "field",
  },
  { what: "Poseidon permutation", figure: "4.1 us", bench: "field" },
  { what: "EC multiplication / by the generator", figure: "54 us / 12 us", bench: "field" },
  {
    what: "ec_op of a point seen often / seen once, most additions",
    figure: "12 us / 45 us, 53 us",
    bench: "field",
  },
  { what: "field square root", figure: "9.1 us", bench: "field" },
  { what: "VM, counter loop of 5 M steps", figure: "96 M steps/s", bench: "vm" },
  { what: "VM, compiled recursion of 2.7 M steps", figure: "30 M steps/s", bench: "vm" },
  {
    what: "VM, processor time of a step of programs that fill memory, 1 M to 50 M steps: Fibonacci / dictionary",
    figure:
      "7.9 to 8.1 ns / 40 to 46 ns; with new pages 17 to 20 ns / 55 to 75 ns; load 22 on two cores",
    bench: "machine-memory",
  },
  {
    what: "an ERC-20 transfer in the engine, validated and executed / validation reused",
    figure: "1.4 ms / 0.35 ms",
    bench: "execution",
  },
  {
    what: "transfers end to end until ACCEPTED_ON_L2, fresh recipients, pre-signed",
    figure: "288 to 520 per second in eleven runs (3000 to 5000 transfers)",
    bench: "transfers",
  },
  {
    what: "bytes on disk per transfer",
    figure: "1295 to 1540; small blocks cost more",
    bench: "transfers",
  },
  {
    what: "deposits by messages from L1 until ACCEPTED_ON_L2, for each transfer in the same time of the same run",
    figure:
      "1.91 (median of three pairs of 2000: 188 / 98, 695 / 397, 758 / 339 per second; load 15)",
    bench: "l1-messages",
  },
  {
    what: "a message from L1: from its finality there until its block is accepted",
    figure: "2.0 s (p50 of ten; L1 is looked at every 2 s)",
    bench: "l1-messages",
  },
  {
    what: "`blockNumber` / `getStorageAt` over HTTP",
    figure: "32.4 k / 33.1 k requests/s on a busy machine, after a warm-up of 1.2 s",
    bench: "node",
  },
  {
    what: "`blockNumber` by our HTTP server / `node:http` / `Bun.serve`, processor time of a request, 32 connections",
    figure: "14 / 23 / 24 us; more in [HTTP](http.md)",
    bench: "http",
  },
  { what: "cold start to the first answer", figure: "101 ms", bench: "node" },
  { what: "resident memory when idle", figure: "171 MiB", bench: "node" },
  {
    what: "compiling the universal deployer to CASM, first time in a process / later",
    figure: "0.085 s / 0.019 s (`starknet-sierra-compile` in the same run: 0.006 s)",
    bench: "compiler",
  },
  {
    what: "compiling the OpenZeppelin account 1.0.0 to CASM, first time in a process / later",
    figure: "0.217 s / 0.099 s (`starknet-sierra-compile`: 0.066 s)",
    bench: "compiler",
  },
  {
    what: "compiling the STRK token to CASM, first time in a process / later",
    figure: "0.416 s / 0.235 s (`starknet-sierra-compile`: 0.107 s)",
    bench: "compiler",
  },
  {
    what: "compiling the Argent account 0.4.0 to CASM, first time in a process / later",
    figure: "0.873 s / 0.546 s (`starknet-sierra-compile`: 0.276 s)",
    bench: "compiler",
  },
  {
    what: "compiling the largest fixture, 58683 felts to CASM, first time in a process / later",
    figure: "0.489 s / 0.333 s (`starknet-sierra-compile`: 0.186 s)",
    bench: "compiler",
  },
  {
    what: "making an answer about a block of 100 transfers: getBlockWithReceipts / getBlockWithTxs / getBlockWithTxHashes / getStateUpdate",
    figure: "1.20 ms / 0.63 ms / 0.24 ms / 0.49 ms, load 3 on two cores",
    bench: "block-answers",
  },
  {
    what: "making an answer about a transaction: getTransactionByHash / getTransactionReceipt",
    figure: "16 us / 24 us, load 3 on two cores",
    bench: "block-answers",
  },
  {
    what: "blockNumber at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "21 493 / s (3 653 to 44 460), 3.8 / 21 ms; 63 340 / s",
    bench: "rpc",
  },
  {
    what: "getStorageAt at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "14 700 / s (6 334 to 29 383), 6.2 / 20 ms; 30 140 / s",
    bench: "rpc",
  },
  {
    what: "getTransactionByHash at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "10 473 / s (4 259 to 18 101), 8.7 / 40 ms; 23 350 / s",
    bench: "rpc",
  },
  {
    what: "getTransactionReceipt at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "9 959 / s (7 412 to 15 199), 8.4 / 26 ms; 14 990 / s",
    bench: "rpc",
  },
  {
    what: "getBlockWithReceipts of 100 transactions at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "2 276 / s (1 072 to 5 994), 43 / 99 ms; 4 250 / s",
    bench: "rpc",
  },
  {
    what: "getBlockWithTxs of 100 transactions at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "6 538 / s (3 271 to 10 134), 12.0 / 25 ms; 8 040 / s",
    bench: "rpc",
  },
  {
    what: "getBlockWithTxHashes of 100 transactions at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "12 604 / s (9 468 to 22 271), 6.5 / 26 ms; 32 640 / s",
    bench: "rpc",
  },
  {
    what: "getStateUpdate of 100 transactions at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "9 800 / s (3 580 to 12 140), 9.0 / 24 ms; 10 380 / s",
    bench: "rpc",
  },
  {
    what: "call of balance_of at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "2 398 / s (664 to 4 073), 42 / 90 ms; 3 150 / s",
    bench: "rpc",
  },
  {
    what: "estimateFee of a transfer at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "374 / s (221 to 805), 290 / 354 ms; 580 / s",
    bench: "rpc",
  },
  {
    what: "simulateTransactions of a transfer at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "173 / s (134 to 411), 558 / 844 ms; 210 / s",
    bench: "rpc",
  },
  {
    what: "traceTransaction at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "12 848 / s (3 903 to 17 709), 5.7 / 34 ms; 27 350 / s",
    bench: "rpc",
  },
  {
    what: "traceBlockTransactions of 100 transactions at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "2 072 / s (563 to 3 666), 46 / 87 ms; 2 420 / s",
    bench: "rpc",
  },
  {
    what: "getEvents, a page of 100, at 100 connections beside 200 transfers/s: calls (least to most), p50 / p99; in batches of 10",
    figure: "721 / s (240 to 862), 124 / 231 ms; 800 / s",
    bench: "rpc",
  },
  {
    what: "getEvents over 1 M blocks with an event each, in process: a rare key / a key that nobody has, the whole range in one page",
    figure: "13 ms / 8 ms",
    bench: "events",
  },
  {
    what: "getEvents over 1 M blocks: all events in pages of 1000, p50 / p99 of a page",
    figure: "13 ms / 27 ms",
    bench: "events",
  },
  {
    what: "getEvents over 1 M blocks: all events in pages of 100, p50 / p99 of a page",
    figure: "1.3 ms / 7.9 ms",
    bench: "events",
  },
  {
    what: "getEvents over 1 M blocks: one of 256 keys, p50 / p99 of a page, keys that nobody has; keys of accounts",
    figure: "12 ms / 13 ms; 17 ms / 28 ms",
    bench: "events",
  },
  {
    what: "index of events of blocks with one transfer each",
    figure: "12.1 bytes a block",
    bench: "events",
  },
  {
    what: "a chain of 100 000 blocks of 3 transactions, state of all blocks, tries of 128: file; a block; a transaction",
    figure: "202 MiB; 2121 bytes; 707 bytes; opened in 14 ms",
    bench: "chain",
  },
  {
    what: "making a block of it: roots, commitments, hash and signature / storing it",
    figure: "3.4 to 5.8 ms / 1.7 to 4.8 ms, load 4 to 8 on two cores",
    bench: "chain",
  },
  {
    what: "getStorageAt of it through the dispatcher's methods, in process, p50 / p99: block 1; block 50 000; the tip; any block",
    figure: "15.6 / 109 us; 10.9 / 65 us; 10.9 / 46 us; 10.4 / 41 us, load 4 on two cores",
    bench: "chain",
  },
  {
    what: "other methods of it at any block, p50 / p99: getNonce; getClassAt; getTransactionByHash; getTransactionReceipt; getStateUpdate; getBlockWithReceipts",
    figure:
      "8.5 / 25 us; 13 / 89 us; 24 / 134 us; 36 / 158 us; 32 / 214 us; 66 / 187 us, load 4 on two cores",
    bench: "chain",
  },
  {
    what: "getEvents of it, a page of 100, any block / getStorageProof of a variable at the tip, p50, p99",
    figure: "0.84 ms, 9.4 ms / 0.20 ms, 7.9 ms, load 4 on two cores",
    bench: "chain",
  },
  {
    what: "bytes in the file per transfer in blocks of 100, tries of 128 blocks: all state / state of 128 blocks",
    figure: "1009 / 933",
    bench: "storage",
  },
  {
    what: "commitment of 1000 / 10 000 changed slots of a contract with 1 M, from the file; with an empty cache",
    figure: "116 ms / 820 ms; 180 ms / 730 ms, load 4 on two cores",
    bench: "commitment",
  },
  {
    what: "commit of 20 transfers, flushed: p50 / p99; moving the log between commits; a commit that moves it itself",
    figure:
      "3.5 / 13 ms; 7.6 ms, 106 times, no commit waits for it; 15.5 ms (four times the median), load 4 on two cores",
    bench: "checkpoints",
  },
  {
    what: "getStorageAt's read at any block, pages of 4096 / 8192 / 16 384 bytes, mapped; not mapped",
    figure: "3.3 / 3.1 / 3.2 us; 4.0 / 4.2 / 4.9 us; a map of 1 GiB is no faster than 256 MiB",
    bench: "pages",
  },
  {
    what: "following 250 blocks of 20 transfers from zero: sequencer that made them / full node / with `--verify execution`",
    figure:
      "508 / 1129 (56.5 blocks/s) / 747 transactions/s, three rounds on two cores of an AMD EPYC; 1.08 / 1.88 ms of processor for each on the node",
    bench: "sync",
  },
  {
    what: "following 250 blocks of 20 transfers from zero, by the gateway / by bundles of a store: transactions/s, and processor of the node and of its source for each",
    figure:
      "751 / 944 (1.26 times), 1.00 + 0.22 / 0.85 + 0.05 ms, one round beside other work on two cores of an AMD EPYC",
    bench: "sync",
  },
  {
    what: "an invoke's answer, sent to the sequencer / through a full node that has handed on 1000, p50",
    figure: "1.94 / 2.82 ms, three rounds on two cores of an AMD EPYC",
    bench: "sync",
  },
  {
    what: "a block is accepted on L1 after its update counts on L1: sequencer / full node that follows L1, p50",
    figure: "1.08 / 1.21 s (at most 1.95 s) of 16 updates; L1 is looked at every 2 s",
    bench: "settlement",
  },
  {
    what: "`appchain bootstrap --dev`, all 29 steps beside an L1 with blocks on demand: protocol 0.14.4 / 0.13.2",
    figure:
      "4.8 s / 4.9 s, 0.6 s of it processor time of the program, 0.4 to 1.6 s until the message from L1 has its effect; the machine was busy",
    bench: "bootstrap",
  },
  {
    what: "a chain without a publish gate / with one, versitygw beside it: transfers per second until ACCEPTED_ON_L2, processor of the chain for each",
    figure:
      "1028 / 1003 (0.98 times), 1.75 / 1.81 ms; medians of five rounds of 4000 on two cores of an AMD EPYC",
    bench: "gate",
  },
  {
    what: "import of a snapshot of 49 992 small blocks (3 transfers each), all of it verified / verified sync of as many, processor time",
    figure:
      "1.6 s / 183 s (3.7 ms a block): 116 times as fast, by one run at load 10; 1.9 MiB/s of rows, SHA-256 of its files 826 MiB/s",
    bench: "snapshot",
  },
];
