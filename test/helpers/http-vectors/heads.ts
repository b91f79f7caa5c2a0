import { line, post, type RequestVector, refused, executed } from "./vector.ts";

const GET = "GET / HTTP/1.1";
const LONG = "b".repeat(20_000);

/** Requests that test request lines and header fields: RFC 9112, sections 2 to 5. */
export const HEAD_VECTORS: readonly RequestVector[] = [
  executed("the whole address", line("GET http://a/b HTTP/1.1"), "GET http://a/b "),
  executed("no path", line("OPTIONS * HTTP/1.1"), "OPTIONS * "),
  executed("a method of later days", line("QUERY / HTTP/1.1"), "QUERY / "),
  executed("empty lines before", `\r\n\r\n${line(GET)}`, "GET / "),
  executed(
    "an empty line behind a body",
    `${post("content-length: 3\r\n", "abc")}\r\n`,
    "POST / abc",
  ),
  executed("a tab in a value", post("a: b\tc\r\n"), "POST / "),
  executed("a value beyond ASCII", post("a: b\xffc\r\n"), "POST / "),
  executed("every sign of a name", post("!#$%&'*+-.^_`|~09az: c\r\n"), "POST / "),
  executed("no value", post("a:\r\nb: \r\n"), "POST / "),

  // Section 2.2 and 3.
  refused("a tab in the line", line("GET\t/ HTTP/1.1")),
  refused("a tab before the version", line("GET /\tHTTP/1.1")),
  refused("a vertical tab in the line", line("GET /\x0bHTTP/1.1")),
  refused("a blank behind the line", line("GET / HTTP/1.1 ")),
  refused("a blank in the target", line("GET /a b HTTP/1.1")),
  refused("a blank before the line", ` ${line(GET)}`),
  refused("a NUL before the line", `\0${line(GET)}`),
  refused("no target", line("GET  HTTP/1.1")),
  refused("no method", line(" / HTTP/1.1")),
  refused("no version", line("GET /")),
  refused("HTTP/0.9", "GET /\r\n\r\n"),
  refused("HTTP/0.9 by name", line("GET / HTTP/0.9")),
  refused("HTTP/1.2", line("GET / HTTP/1.2")),
  refused("HTTP/1.10", line("GET / HTTP/1.10")),
  refused("HTTP/11", line("GET / HTTP/11")),
  refused("HTTP/2.0", line("GET / HTTP/2.0")),
  refused("HTTP/3.0", line("GET / HTTP/3.0")),
  refused("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  refused("a version in small letters", line("GET / http/1.1")),
  refused("another name of a protocol", line("GET / HTTPS/1.1")),
  refused("a method in small letters", line("get / HTTP/1.1")),
  refused("a method that nobody knows", line("FOO / HTTP/1.1")),
  refused("a method with a letter more", line("GETX / HTTP/1.1")),
  refused("a method without an end", "A".repeat(20_000)),
  refused("a target without a slash", line("GET a HTTP/1.1")),
  refused("a NUL in the target", line("GET /a\0b HTTP/1.1")),
  refused("a control character in the target", line("GET /a\x01b HTTP/1.1")),
  refused("DEL in the target", line("GET /a\x7fb HTTP/1.1")),
  refused("a target beyond ASCII", line("GET /\xc3\xa4 HTTP/1.1")),
  refused("a tunnel", line("CONNECT a:1 HTTP/1.1")),
  refused("a response", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
  refused("a handshake of TLS", "\x16\x03\x01\x02\0\x01\r\n\r\n"),

  // Section 2.2: lines end with CR and LF.
  refused("bare line feeds", `${GET}\nhost: a\n\n`),
  refused("a bare line feed behind the line", `${GET}\nhost: a\r\n\r\n`),
  refused("a bare line feed behind a field", `${GET}\r\nhost: a\n\r\n`),
  refused("a bare line feed at the end", `${GET}\r\nhost: a\r\n\n`),
  refused("a bare return behind the line", `${GET}\rhost: a\r\n\r\n`),
  refused("a bare return in a field", `${GET}\r\nhost: a\rb: c\r\n\r\n`),
  refused("a bare return at the end", `${GET}\r\nhost: a\r\n\rX`),
  refused("two returns", `${GET}\r\nhost: a\r\r\n\r\n`),

  // Section 5.
  refused("a field over two lines", post("a: b\r\n c\r\n")),
  refused("a field over two lines with a tab", post("a: b\r\n\tc\r\n")),
  refused("a line of blanks", post("a: b\r\n \r\n")),
  refused("blanks before the first field", `${GET}\r\n host: a\r\n\r\n`),
  refused("a blank before a colon", post("a : b\r\n")),
  refused("no name", post(": b\r\n")),
  refused("no colon", post("abc\r\n")),
  refused("a name in brackets", post("a(b): c\r\n")),
  refused("a name in quotes", post('"a": c\r\n')),
  refused("a slash in a name", post("a/b: c\r\n")),
  refused("a NUL in a name", post("a\0b: c\r\n")),
  refused("a name beyond ASCII", post("\xffa: b\r\n")),
  refused("a NUL in a value", post("a: b\0c\r\n")),
  refused("a control character in a value", post("a: b\x01c\r\n")),
  refused("another control character in a value", post("a: b\x1fc\r\n")),
  refused("DEL in a value", post("a: b\x7fc\r\n")),

  // Section 3.2.
  refused("no host", `${GET}\r\n\r\n`),
  refused("two hosts", post("host: b\r\n")),

  // RFC 6585, section 5.
  refused("a long value", post(`a: ${LONG}\r\n`)),
  refused("a long name", post(`${LONG}: a\r\n`)),
  refused("a long target", line(`GET /${LONG} HTTP/1.1`)),
  refused("long blanks before a value", post(`a:${" ".repeat(100_000)}b\r\n`)),
  refused("very many fields", post("a:\r\n".repeat(5_000))),
];
