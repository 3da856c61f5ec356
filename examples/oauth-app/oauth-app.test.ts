import { expect, onTestFinished, test } from "vitest";
import { startOAuthWorld } from "../../packages/server/testing/oauth-world.ts";
import { startExample } from "../../test/support/example-program.ts";
import { freePort } from "../../test/support/free-port.ts";

// test/oauth-flow.test.ts drives it in a browser, to the end.
test("the app sends a browser to the service with PKCE, and takes no answer that another browser began", async () => {
  const world = await startOAuthWorld();
  onTestFinished(world.close);
  const port = String(await freePort());
  const app = startExample(import.meta.dirname, { LETTERSLOT_URL: world.base_url, PORT: port });
  onTestFinished(app.kill);
  const [url = ""] = /http:\/\/\S+/.exec(await app.line()) ?? [];
  expect(await (await fetch(url)).text()).toContain('href="/connect"');

  const sent = await fetch(`${url}/connect`, { redirect: "manual" });
  const asked = new URL(sent.headers.get("location") ?? "");
  expect(asked.href).toContain(`${world.base_url}/oauth/authorize?`);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    code_challenge_method: "S256",
    redirect_uri: `${url}/callback`,
    resource: `${world.base_url}/api/v1`,
    scope: "inbox_read message_read",
  });
  expect((await fetch(asked, { redirect: "manual" })).status).toBe(303);
  expect((await fetch(`${url}/callback?code=x&state=y`)).status).toBe(400);
});
