import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, expect, test } from "vitest";
import { createApp } from "./http/app.ts";
import { toNextHandler } from "./next.ts";
import { toNodeHandler } from "./node.ts";

const closing: (() => unknown)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

const app = () => createApp({ letterslot: createTestService().letterslot });
const onboarding = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ username: "ada" }),
};

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  closing.push(() => server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a route of Next answers each method by the app", async () => {
  const { GET, HEAD, POST, OPTIONS, ...others } = toNextHandler(app());
  expect(Object.keys(others)).toEqual(["PUT", "PATCH", "DELETE"]);
  const opened = await POST(new Request("http://next.test/api/v1/onboard", onboarding));
  expect(opened.status).toBe(200);
  const { api_key } = (await opened.json()) as { api_key: string };
  const headers = { authorization: `Bearer ${api_key}` };
  expect(await (await GET(new Request("http://next.test/api/v1/me", { headers }))).json()).toMatchObject({
    object: "me",
  });
  expect((await HEAD(new Request("http://next.test/healthz", { method: "HEAD" }))).status).toBe(200);
  expect((await OPTIONS(new Request("http://next.test/api/v1/me", { method: "OPTIONS" }))).status).not.toBe(
    500,
  );
});

test("routes of Next make the app with the first request, once, and again after a failure", async () => {
  let made = 0;
  const make = () => {
    made += 1;
    if (made === 1) throw new Error("the disk is full");
    return app();
  };
  const [one, other] = [toNextHandler(make), toNextHandler(make)];
  expect(made).toBe(0);
  const asked = () => new Request("http://next.test/healthz");
  await expect(one.GET(asked())).rejects.toThrow("the disk is full");
  expect((await one.GET(asked())).status).toBe(200);
  expect((await other.GET(asked())).status).toBe(200);
  expect(made).toBe(2);
});

test("a listener for Node's requests answers by the app", async () => {
  const base_url = await listening(toNodeHandler(app()));
  expect((await fetch(`${base_url}/api/v1/onboard`, onboarding)).status).toBe(200);
});

test("a body that was read already is told, with what to do, instead of an empty request", async () => {
  const listener = toNodeHandler(app());
  const base_url = await listening((request, response) => {
    request.resume().once("end", () => listener(request, response));
  });
  const answer = await fetch(`${base_url}/api/v1/onboard`, onboarding);
  expect(answer.status).toBe(500);
  expect(await answer.json()).toMatchObject({
    error: {
      message: expect.stringContaining("was read before"),
      fix: expect.stringContaining("express.json"),
    },
  });
});

test("a body of which the framework kept the bytes does", async () => {
  const listener = toNodeHandler(app());
  const base_url = await listening((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("end", () => listener(Object.assign(request, { rawBody: Buffer.concat(chunks) }), response));
  });
  expect((await fetch(`${base_url}/api/v1/onboard`, onboarding)).status).toBe(200);
});
