import { chunked, type RequestVector, refused, executed } from "./vector.ts";

const LAST = "0\r\n\r\n";

/** Requests that test bodies sent as chunks: RFC 9112, section 7.1. */
export const CHUNK_VECTORS: readonly RequestVector[] = [
  executed("a chunk", chunked(`3\r\nabc\r\n${LAST}`), "POST / abc"),
  executed("two chunks", chunked(`3\r\nabc\r\nA\r\n0123456789\r\n${LAST}`), "POST / abc0123456789"),
  executed("a size with zeros before", chunked(`0000003\r\nabc\r\n${LAST}`), "POST / abc"),
  executed("more than one zero at last", chunked("3\r\nabc\r\n000\r\n\r\n"), "POST / abc"),
  executed("an extension", chunked(`3;a=b;c\r\nabc\r\n0;d\r\n\r\n`), "POST / abc"),
  executed("an extension in quotes", chunked(`3;a="b;c\\""\r\nabc\r\n${LAST}`), "POST / abc"),
  executed("a trailer", chunked("3\r\nabc\r\n0\r\nt: u\r\n\r\n"), "POST / abc"),
  {
    what: "a chunk that nobody ever sends",
    bytes: chunked("100000003\r\nabc"),
    runs: [],
    after: "wait",
  },

  refused("a size with a plus", chunked(`+3\r\nabc\r\n${LAST}`)),
  refused("a size below zero", chunked(`-3\r\nabc\r\n${LAST}`)),
  refused("a size with a prefix", chunked(`0x3\r\nabc\r\n${LAST}`)),
  refused("a size behind a blank", chunked(` 3\r\nabc\r\n${LAST}`)),
  refused("a size before a blank", chunked(`3 \r\nabc\r\n${LAST}`)),
  refused("a size before a tab", chunked(`3\t\r\nabc\r\n${LAST}`)),
  refused("a size with an underscore", chunked(`0_3\r\nabc\r\n${LAST}`)),
  refused("no size", chunked(`\r\nabc\r\n${LAST}`)),
  refused("no size but an extension", chunked(`;a=b\r\nabc\r\n${LAST}`)),
  refused("a size that is no digit", chunked(`g\r\nabc\r\n${LAST}`)),
  refused("a size with a NUL", chunked(`3\0\r\nabc\r\n${LAST}`)),
  refused("a size above 64 bits", chunked(`10000000000000003\r\nabc\r\n${LAST}`)),
  refused("a size far above 64 bits", chunked(`fffffffffffffffff\r\nabc\r\n${LAST}`)),
  refused("a size before a bare line feed", chunked(`3\nabc\r\n${LAST}`)),
  refused("a size before a bare return", chunked(`3\rabc\r\n${LAST}`)),

  refused("data before a bare line feed", chunked(`3\r\nabc\n${LAST}`)),
  refused("data before a bare return", chunked(`3\r\nabc\r${LAST}`)),
  refused("data without an end", chunked(`3\r\nabc${LAST}`)),
  refused("more data than its size", chunked(`3\r\nabcd\r\n${LAST}`)),

  // Section 7.1.1, and parser differences of extensions with other line ends.
  refused("an extension with a bare line feed", chunked(`3;a\nabc\r\n${LAST}`)),
  refused("an extension with a bare return", chunked(`3;a\rX\r\nabc\r\n${LAST}`)),
  refused("an extension with a NUL", chunked(`3;a\0\r\nabc\r\n${LAST}`)),
  refused("an extension without a name", chunked(`3;\r\nabc\r\n${LAST}`)),
  refused("a line's end in quotes", chunked(`3;a="\r\nabc\r\n0\r\n\r\n"\r\nabc\r\n${LAST}`)),
  refused("a line feed in quotes", chunked(`3;a="\n"\r\nabc\r\n${LAST}`)),
  refused("an extension of 100 kB", chunked(`3;a=${"b".repeat(100_000)}\r\nabc\r\n${LAST}`)),

  refused("a last chunk before bare line feeds", chunked("3\r\nabc\r\n0\n\n")),
  refused("a body that ends with a bare line feed", chunked("3\r\nabc\r\n0\r\n\n")),
  refused("a body that ends with a bare return", chunked("3\r\nabc\r\n0\r\n\rX")),
  refused("something behind the last chunk", chunked("3\r\nabc\r\n0\r\nX\r\n\r\n")),

  // Section 7.1.2: trailers; RFC 9110, section 6.5.1: none that determine the body's end.
  refused("a trailer with a length", chunked("0\r\ncontent-length: 3\r\n\r\n")),
  refused("a trailer with a coding", chunked("0\r\ntransfer-encoding: chunked\r\n\r\n")),
  refused("a trailer over two lines", chunked("0\r\nt: u\r\n v\r\n\r\n")),
  refused("a trailer with a bare line feed", chunked("0\r\nt: u\n\r\n")),
  refused("a trailer with a NUL", chunked("0\r\nt: u\0\r\n\r\n")),
  refused("a trailer without a colon", chunked("0\r\ntu\r\n\r\n")),
  refused("a trailer of 100 kB", chunked(`0\r\nt: ${"u".repeat(100_000)}\r\n\r\n`)),
];
