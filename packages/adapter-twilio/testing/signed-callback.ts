/** A callback as Twilio makes it, signed. It can be sent late, twice, in any order, and forged. */
export interface TwilioCallback {
  url: string;
  fields: Record<string, string>;
  headers: Record<string, string>;
  body: string;
  /** Sends it to the service: what that answers. */
  send(): Promise<{ status: number; body: string }>;
  /** The same with one field changed, and the signature of the genuine one. */
  forge(field: string, value: string): TwilioCallback;
}

/** A callback with this signature, which is sent to the origin that is named for its URL. */
export function signed(
  url: string,
  fields: Record<string, string>,
  signature: string,
  originOf: (url: string) => string,
): TwilioCallback {
  const body = new URLSearchParams(fields).toString();
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "x-twilio-signature": signature,
    "i-twilio-idempotency-token": "0c1f4b1a",
  };
  const { pathname, search } = new URL(url);
  return {
    url,
    fields,
    headers,
    body,
    async send() {
      const response = await fetch(`${originOf(url)}${pathname}${search}`, {
        method: "POST",
        headers,
        body,
      });
      return { status: response.status, body: await response.text() };
    },
    forge: (field, value) => signed(url, { ...fields, [field]: value }, signature, originOf),
  };
}

/** An attribute of the first such element of TwiML. */
export function attributeOf(twiml: string, element: string, name: string): string {
  const [tag = ""] = new RegExp(`<${element}\\b[^>]*>`).exec(twiml) ?? [];
  const [, value = ""] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll("&lt;", "<").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
