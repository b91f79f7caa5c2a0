/**
 * A server with a constant response: whatever arrives on a connection, it sends the bytes of a
 * response to `starknet_blockNumber`. It is the lower bound for servers of this runtime. Prints its
 * port.
 */
import { progress } from "./progress.ts";

const BODY = '{"jsonrpc":"2.0","id":1,"result":266}';
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);

const server = Bun.listen({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    data(socket) {
      // Readers send nothing before they have a response: there is always room for it.
      socket.write(ANSWER);
    },
    error(_, { message }) {
      progress(message);
      process.exit(1);
    },
  },
});
console.log(server.port);
