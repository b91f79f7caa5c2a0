import { line, post, type RequestVector, refused, executed } from "./vector.ts";

const LAST = "0\r\n\r\n";

/**
 * Requests that test where a server sees the end of a body: RFC 9112, section 6; for the fields
 * themselves RFC 9110, section 8.6.
 */
export const BODY_LENGTH_VECTORS: readonly RequestVector[] = [
  executed("a length", post("content-length: 3\r\n", "abc"), "POST / abc"),
  executed("no length", post(""), "POST / "),
  executed("a length with blanks around", post("content-length: \t3 \r\n", "abc"), "POST / abc"),
  executed("a length with zeros before", post("content-length: 003\r\n", "abc"), "POST / abc"),
  executed(
    "a GET with a body",
    post("content-length: 3\r\n", "abc").replace("POST", "GET"),
    "GET / abc",
  ),
  executed("a field that looks like the length", post("content_length: 3\r\n"), "POST / "),
  {
    what: "a length that nobody ever sends",
    bytes: post("content-length: 9007199254740993\r\n", "abc"),
    runs: [],
    after: "wait",
  },

  // Section 6.3, point 5: two lengths, or an invalid one.
  refused("two lengths", post("content-length: 3\r\ncontent-length: 4\r\n", "abcd")),
  refused("one length twice", post("content-length: 3\r\ncontent-length: 3\r\n", "abc")),
  refused("a list of one length", post("content-length: 3, 3\r\n", "abc")),
  refused("a list of lengths", post("content-length: 3, 4\r\n", "abcd")),
  refused("a length with a plus", post("content-length: +3\r\n", "abc")),
  refused("a length below zero", post("content-length: -3\r\n", "abc")),
  refused("a length in hexadecimal", post("content-length: 0x3\r\n", "abc")),
  refused("a length with an exponent", post("content-length: 1e1\r\n", "0123456789")),
  refused("a length with a point", post("content-length: 3.0\r\n", "abc")),
  refused("an empty length", post("content-length:\r\n")),
  refused("a blank length", post("content-length: \r\n")),
  refused("a length with a blank within", post("content-length: 3 3\r\n", "abc")),
  refused("a length behind a vertical tab", post("content-length: \x0b3\r\n", "abc")),
  refused("a length with a NUL", post("content-length: 3\0\r\n", "abc")),
  refused("a length with a semicolon", post("content-length: 3;a\r\n", "abc")),
  refused("a length above 64 bits", post("content-length: 18446744073709551619\r\n", "abc")),
  refused("a length far above 64 bits", post("content-length: 99999999999999999999999\r\n", "abc")),
  refused("a length over two lines", post("content-length:\r\n 3\r\n", "abc")),

  // Section 6.1 and 6.3, points 3 and 4: a length and chunks, and codings whose last one is not
  // chunked.
  executed("chunks in capitals", post("TRANSFER-ENCODING: CHUNKED\r\n", LAST), "POST / "),
  executed(
    "a GET in chunks",
    post("transfer-encoding: chunked\r\n", LAST).replace("POST", "GET"),
    "GET / ",
  ),
  executed(
    "another coding before chunks",
    post("transfer-encoding: gzip, chunked\r\n", LAST),
    "POST / ",
  ),
  executed(
    "another coding before chunks, on its own line",
    post("transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n", LAST),
    "POST / ",
  ),
  executed(
    "an empty coding before chunks",
    post("transfer-encoding: ,chunked\r\n", LAST),
    "POST / ",
  ),
  refused(
    "a length before chunks",
    post("content-length: 5\r\ntransfer-encoding: chunked\r\n", LAST),
  ),
  refused(
    "a length behind chunks",
    post("transfer-encoding: chunked\r\ncontent-length: 5\r\n", LAST),
  ),
  refused(
    "no length behind chunks",
    post("transfer-encoding: chunked\r\ncontent-length: 0\r\n", LAST),
  ),
  refused("another coding behind chunks", post("transfer-encoding: chunked, gzip\r\n", LAST)),
  refused(
    "another coding behind chunks, on its own line",
    post("transfer-encoding: chunked\r\ntransfer-encoding: gzip\r\n", LAST),
  ),
  refused("chunks twice", post("transfer-encoding: chunked, chunked\r\n", LAST)),
  refused(
    "chunks twice, on two lines",
    post("transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n", LAST),
  ),
  refused("no coding at all", post("transfer-encoding:\r\n")),
  refused("a blank coding", post("transfer-encoding: \r\n")),
  refused("no coding, and a length", post("transfer-encoding:\r\ncontent-length: 3\r\n", "abc")),
  refused("a length, and no coding", post("content-length: 3\r\ntransfer-encoding:\r\n", "abc")),
  refused("a comma for a coding", post("transfer-encoding: ,\r\n")),
  refused("a comma behind chunks", post("transfer-encoding: chunked,\r\n", LAST)),
  refused("the coding that is none", post("transfer-encoding: identity\r\n")),
  refused(
    "the coding that is none, and a length",
    post("transfer-encoding: identity\r\ncontent-length: 3\r\n", "abc"),
  ),
  refused("a coding that ends with chunked", post("transfer-encoding: xchunked\r\n", LAST)),
  refused("a coding that begins with chunked", post("transfer-encoding: chunkedx\r\n", LAST)),
  refused("two words for a coding", post("transfer-encoding: x chunked\r\n", LAST)),
  refused("chunks in quotes", post('transfer-encoding: "chunked"\r\n', LAST)),
  refused("chunks with a parameter", post("transfer-encoding: chunked;q=1\r\n", LAST)),
  refused("chunks behind a vertical tab", post("transfer-encoding: \x0bchunked\r\n", LAST)),
  refused("chunks and a NUL", post("transfer-encoding: chunked\0\r\n", LAST)),
  refused("a blank before the colon", post("transfer-encoding : chunked\r\n", LAST)),
  refused("a tab before the colon", post("transfer-encoding\t: chunked\r\n", LAST)),
  refused("chunks on the next line", post("transfer-encoding:\r\n chunked\r\n", LAST)),
  refused("chunks behind a bare return", post("x: y\rtransfer-encoding: chunked\r\n", LAST)),
  refused("chunks behind a bare line feed", post("x: y\ntransfer-encoding: chunked\r\n", LAST)),
  refused("chunks in HTTP/1.0", post("transfer-encoding: chunked\r\n", LAST, "HTTP/1.0")),
  refused(
    "chunks in HTTP/1.0 that stays",
    post("connection: keep-alive\r\ntransfer-encoding: chunked\r\n", LAST, "HTTP/1.0"),
  ),

  // Section 9.6: nothing is executed after the last request.
  {
    what: "the last request",
    bytes: post("connection: close\r\ncontent-length: 3\r\n", "abc"),
    runs: ["POST / abc"],
    after: "end",
  },
  {
    what: "the last request, in a list",
    bytes: post("connection: keep-alive, close\r\ncontent-length: 3\r\n", "abc"),
    runs: ["POST / abc"],
    after: "end",
  },
  {
    what: "a request of HTTP/1.0",
    bytes: post("content-length: 3\r\n", "abc", "HTTP/1.0"),
    runs: ["POST / abc"],
    after: "end",
  },

  // RFC 9110, section 7.8: an upgrade to an unsupported protocol is ignored.
  executed(
    "another protocol, with a body",
    post("connection: upgrade\r\nupgrade: x\r\ncontent-length: 3\r\n", "abc"),
    "POST / abc",
  ),
  executed(
    "another protocol, with chunks",
    post(
      "connection: upgrade\r\nupgrade: x\r\ntransfer-encoding: chunked\r\n",
      `3\r\nabc\r\n${LAST}`,
    ),
    "POST / abc",
  ),
  executed(
    "another protocol",
    line("GET / HTTP/1.1\r\nconnection: upgrade\r\nupgrade: h2c"),
    "GET / ",
  ),
  executed("another protocol that is not meant", line("GET / HTTP/1.1\r\nupgrade: h2c"), "GET / "),
];
