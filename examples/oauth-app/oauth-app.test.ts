import { expect, onTestFinished, test } from "vitest";
import { startExample } from "../../test/support/example-program.ts";
import { freePort } from "../../test/support/free-port.ts";
import { createServerHome } from "../../test/support/server-process.ts";

// test/oauth-flow.test.ts drives it in a browser, to the end.
test("the app sends a browser to the service with PKCE, and takes no answer that another browser began", async () => {
  const home = await createServerHome();
  onTestFinished(home.remove);
  const server = await home.start();
  onTestFinished(() => void server.end("SIGKILL"));
  const port = String(await freePort());
  const app = startExample(import.meta.dirname, { LETTERSLOT_URL: home.base_url, PORT: port });
  onTestFinished(app.kill);
  const [url = ""] = /http:\/\/\S+/.exec(await app.line()) ?? [];
  expect(await (await fetch(url)).text()).toContain('href="/connect"');

  const sent = await fetch(`${url}/connect`, { redirect: "manual" });
  const asked = new URL(sent.headers.get("location") ?? "");
  expect(asked.href).toContain(`${home.base_url}/oauth/authorize?`);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    code_challenge_method: "S256",
    redirect_uri: `${url}/callback`,
    resource: `${home.base_url}/api/v1`,
    scope: "inbox_read message_read",
  });
  expect((await fetch(asked, { redirect: "manual" })).status).toBe(303);
  expect((await fetch(`${url}/callback?code=x&state=y`)).status).toBe(400);
});
