// A receiver of webhooks in a process of its own: node receiver-program.js <port> <file> [status]. It writes each
// delivery to the file before it answers.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const [port, file, status = "204"] = process.argv.slice(2);
createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8");
    appendFileSync(file, `${JSON.stringify({ headers: request.headers, body })}\n`);
    response.writeHead(Number(status)).end();
  });
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
