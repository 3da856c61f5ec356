import { createClient } from "@letterslot/client";
import { afterEach, expect, test } from "vitest";
import { startExample } from "../../../test/support/example-program.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { createServerHome } from "../../../test/support/server-process.ts";
import { until } from "../../../test/support/until.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Starts the program, waits until it listens, and returns a function that posts its form. */
async function startWorld(dns_port: number, smtp_port: number) {
  const port = await freePort();
  const program = startExample(
    import.meta.dirname,
    {
      DNS_PORT: String(dns_port),
      PORT: String(port),
      SMTP_PORT: String(smtp_port),
    },
    "main.ts",
  );
  cleanups.push(program.kill);
  await program.line();
  const post = async (path: string, body: URLSearchParams | string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body });
    return { status: answer.status, text: await answer.text() };
  };
  return Object.assign((fields: Record<string, string>) => post("/", new URLSearchParams(fields)), {
    publish: (zone_file: string) => post("/zone", zone_file),
  });
}

test("the domain's signed mail is trusted, and a forged copy is not", async () => {
  const dns_port = await freePort();
  const home = await createServerHome({ DNS_SERVER: `127.0.0.1:${dns_port}` });
  const post = await startWorld(dns_port, home.smtp_port);
  const server = await home.start();
  cleanups.push(
    () => home.remove(),
    () => server.end("SIGKILL"),
  );
  const { api_key, inbox } = await createClient({ baseUrl: home.base_url }).accounts.onboard({
    username: "ada",
  });
  const client = createClient({ baseUrl: home.base_url, apiKey: api_key });
  await client.allowlist.create({ inbox_id: inbox.id, address: "olga@owner.example" });

  const mail = { to: inbox.email, text: "Hello there." };
  expect(await post({ ...mail, subject: "Hello" })).toMatchObject({
    status: 200,
    text: expect.stringContaining("250"),
  });
  expect(await post({ ...mail, subject: "Forged", forged: "yes" })).toMatchObject({ status: 200 });
  const { data } = await until("both mails", async () => {
    const found = await client.messages.list({ inbox_id: inbox.id, direction: "inbound" });
    return found.data.length === 2 && found;
  });
  expect(data.map(({ subject, labels }) => [subject, labels.includes("untrusted")])).toEqual([
    ["Forged", true],
    ["Hello", false],
  ]);
  expect((await client.tasks.list()).data).toMatchObject([{ subject: "Hello", trusted: true }]);
  expect((await post({ ...mail, to: "nobody@letterslot.localhost" })).status).toBe(502);
});

test("a custom domain is verified by the zone file that the world publishes", async () => {
  const dns_port = await freePort();
  const home = await createServerHome({ DNS_SERVER: `127.0.0.1:${dns_port}` });
  const world = await startWorld(dns_port, home.smtp_port);
  const server = await home.start();
  cleanups.push(
    () => home.remove(),
    () => server.end("SIGKILL"),
  );
  const { api_key } = await createClient({ baseUrl: home.base_url }).accounts.onboard({ username: "ada" });
  const client = createClient({ baseUrl: home.base_url, apiKey: api_key });
  const { id: domain_id } = await client.domains.create({ domain: "agents.example.com" });
  const zone_file = await fetch(`${home.base_url}/api/v1/domains/${domain_id}/zone-file`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  expect(await world.publish(await zone_file.text())).toMatchObject({ status: 200 });
  await client.domains.verify({ domain_id });
  const verified = await until("the domain to be verified", async () => {
    const domain = await client.domains.get({ domain_id });
    return domain.status === "verified" && domain;
  });
  expect(verified.mail).toEqual({ receiving: true, receiving_from: null, sending: true });
  expect(verified.records.filter(({ status }) => status !== "valid")).toEqual([]);
});
