/** Returns the URL of a server; puts an IPv6 host in brackets. */
export function httpUrl(host: string, port: number): string {
  const isBare = host.includes(":") && !host.startsWith("[");
  return `http://${isBare ? `[${host}]` : host}:${port}`;
}
