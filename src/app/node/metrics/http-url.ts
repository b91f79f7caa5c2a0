/** The address of a server; an IPv6 host stands in brackets. */
export function httpUrl(host: string, port: number): string {
  const isBare = host.includes(":") && !host.startsWith("[");
  return `http://${isBare ? `[${host}]` : host}:${port}`;
}
