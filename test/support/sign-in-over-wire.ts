import type { Served } from "../../packages/server/testing/serve.ts";

/**
 * Signs a person in with the code that they are mailed, and returns the headers with which a program then calls
 * for them: the session's cookie, and the origin that a change asks for.
 */
export async function signInOverWire(
  { base_url, letterslot, work, codeFor }: Served,
  email: string,
): Promise<Record<string, string>> {
  const { origin } = new URL(letterslot.services.options.baseUrl);
  const post = async (path: string, body: object, cookie: string) => {
    const headers = { "content-type": "application/json", origin, ...(cookie === "" ? {} : { cookie }) };
    const response = await fetch(`${base_url}/api/v1/owners/session${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${email} can't sign in: ${await response.text()}`);
    return response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  };
  const challenge = await post("/start", { email }, "");
  await work();
  const cookies = await post("", { email, code: codeFor(email) }, challenge);
  return { cookie: /ls_session=\w+/.exec(cookies)?.[0] ?? "", origin };
}
