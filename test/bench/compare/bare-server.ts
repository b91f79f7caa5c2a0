/**
 * A server that does nothing but answer: whatever comes on a connection, the same bytes go back, those of an answer
 * to `starknet_blockNumber`. No server of this runtime takes less. Prints its port.
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
      // Readers send nothing before they have an answer: there is always room for it.
      socket.write(ANSWER);
    },
    error(_, { message }) {
      progress(message);
      process.exit(1);
    },
  },
});
console.log(server.port);
