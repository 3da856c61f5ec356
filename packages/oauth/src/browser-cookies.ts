/**
 * The names of oidc-provider's two cookies for an authorization request: for its page, and for the way back from it.
 */
export const PROVIDER_COOKIES = { interaction: "ls_oauth", resume: "ls_oauth_resume" } as const;

/** Older requests for access that a browser has begun are given up, so that its cookies stay few. */
const MAX_REQUESTS = 10;

/**
 * The cookies of a browser's open authorization requests: one for each, named after it, so that two tabs don't disturb
 * each other. Over https the name's prefix binds it to this very host (RFC 6265bis, 4.1.3.2), which requires one path
 * for all; oidc-provider distinguishes its cookies by their path.
 */
export interface BrowserCookies {
  /** The request with the cookies that oidc-provider knows, of the request for access that its path ends with. */
  toProvider(request: Request): Request;
  /** The answer with the browser's cookies in place of oidc-provider's. */
  toBrowser(response: Response, request: Request): Response;
}

/** Creates the cookies of a service at `base_url`, which live as long as a request for access. */
export function createBrowserCookies(base_url: string, max_age_ms: number): BrowserCookies {
  const secure = base_url.startsWith("https:");
  const prefix = `${secure ? "__Host-" : ""}ls_oauth.`;
  const line = (id: string, value: string, seconds: number) =>
    `${prefix}${id}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

  const begunIn = (request: Request): string[] =>
    (request.headers.get("cookie") ?? "")
      .split(/; */)
      .flatMap((pair) => (pair.startsWith(prefix) ? [pair.slice(prefix.length).split("=", 1)[0] ?? ""] : []));

  return {
    toProvider(request) {
      const id = idOf(request);
      const headers = new Headers(request.headers);
      headers.delete("cookie");
      if (begunIn(request).includes(id))
        headers.set("cookie", `${PROVIDER_COOKIES.interaction}=${id}; ${PROVIDER_COOKIES.resume}=${id}`);
      return new Request(request, { headers });
    },
    toBrowser(response, request) {
      const set = response.headers.getSetCookie();
      response.headers.delete("set-cookie");
      const begun = set.map((cookie) => BEGUN.exec(cookie)?.[1]).find((id) => id !== undefined);
      const ended = set.some((cookie) => cookie.startsWith(`${PROVIDER_COOKIES.resume}=;`));
      // Browsers send the oldest first (RFC 6265, 5.4).
      const given_up = begun === undefined ? [] : begunIn(request).slice(0, 1 - MAX_REQUESTS || undefined);
      for (const id of new Set(ended ? [idOf(request), ...given_up] : given_up))
        if (id !== begun && ID.test(id)) response.headers.append("set-cookie", line(id, "", 0));
      if (begun !== undefined)
        response.headers.append("set-cookie", line(begun, "1", Math.floor(max_age_ms / 1000)));
      return response;
    },
  };
}

const ID = /^[\w-]{1,100}$/;
const BEGUN = new RegExp(`^${PROVIDER_COOKIES.interaction}=([\\w-]+);`);

/** The last part of a path: the id of a request for access, on its page and on the way back from it. */
const idOf = (request: Request): string => new URL(request.url).pathname.split("/").at(-1) ?? "";
