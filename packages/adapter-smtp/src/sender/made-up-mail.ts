import type { Dns } from "@letterslot/core/ports";
import { dnsError } from "./cached-dns.ts";
import type { CheckedMail, CheckSettings } from "./check-sender.ts";

const DKIM_SIGNATURE = [
  "v=1; a=rsa-sha256; c=relaxed/relaxed; d=letterslot.invalid; s=start; ",
  "h=from:to:subject:date:message-id; ",
  "bh=SJbbItfGYdbdHl2KqvzA+BTNPeSuzMgI28U/pXjV2CE=; b=",
  "eIIxAWpCFunvZ4qdqquzdOpI4POOCxzj+gERscr1cfJLYY4ZTmhXqVNs5cCdvGljqLTEtHv0uIVzTmQVfvyHdn4N/PKHMqc+",
  "eWvn3JbEuSduKc0sGnqCJe96ZEdKOyzNzWdo801tf8I6YbK+vJP/oYv+zA7wiFLgaF97LZMgGuYtIG/DAHGIZKMJTIOsxg1Y",
  "XWS3i5Mot9ZxPkhfTv5XLWDfUh240apl8Ri0C90qAug8NYpYDjYpJ/ztd3OjrIhFGQly0Dz7MGKtaCLZFGrt03znzxqQd+oP",
  "hmu70PVqVhT6nFNWtxBO1M0Ef1vAVAUdhYso/JsIbxah8eg4FWSYsQ==",
].join("");

/** The key that it is signed with was thrown away. */
const PUBLIC_KEY = [
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnJdnkog/m0wmasAXXxLVbWxqi9MTLR6iob9Lc5MCEuUXLO4NcudB",
  "NuuI99pUxBlvxeD3tjA2gvvoSueMKJIzOg2wlgx90MARfv1u1d0SPA9Lqm8ZksicvCEGjCKvLwdEWeBoQ3i/EHdXFSMMUWaP",
  "TvRIP+MdoiCeMC/RcGYMG2qkxi1H1vFsr8CfEkCw/vzdvsXAw2X3VSPp4oj86D4UaYbPZAbVSLDZlMoYMqrz/U5yyxpai68G",
  "v2FETYNRJ0JWChjpiH8ANGYT40RreB+bLB2dzlxAOAAAxZP/tl1v6GERRSndMVwTiqqxlCLZVkMU8Vz2lbfwNg9Axj+tA5Nq",
  "8QIDAQAB",
].join("");

const LINES = `DKIM-Signature: ${DKIM_SIGNATURE}
From: Letterslot <start@letterslot.invalid>
To: <nobody@letterslot.invalid>
Subject: Re: Your order
Date: Sat, 28 Nov 2026 12:00:00 +0000
Message-ID: <start@letterslot.invalid>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="parts"

--parts
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Good morning Ada,

your order of 12 reams of paper has left our house =E2=80=93 it comes on Tuesday.
Please tell us if we should ring: https://letterslot.invalid/order/12

Kind regards
Grace

On Fri, 27 Nov 2026 at 12:00, Ada <ada@letterslot.invalid> wrote:
> When does the paper come?
--parts
Content-Type: text/html; charset=utf-8

<p>Good morning Ada,</p>
<p>your <b>order</b> of 12 reams of paper has left our house.</p>
<p><a href="https://letterslot.invalid/order/12">Follow it</a></p>
<blockquote>When does the paper come?</blockquote>
--parts--
`;

const RECORDS: Partial<Record<string, string>> = {
  "letterslot.invalid": "v=spf1 ip4:192.0.2.1 -all",
  "start._domainkey.letterslot.invalid": `v=DKIM1; k=rsa; p=${PUBLIC_KEY}`,
  "_dmarc.letterslot.invalid": "v=DMARC1; p=reject",
};

const resolve = async (name: string): Promise<string[][]> => {
  const record = RECORDS[name];
  if (record === undefined) throw dnsError("ENOTFOUND");
  return [[record]];
};

/** A mail from nobody to nobody, as many are: it passes SPF, DKIM and DMARC, and is read before the first real one. */
export const MADE_UP_MAIL: CheckedMail = {
  raw: Buffer.from(LINES.replaceAll("\n", "\r\n")),
  envelope: { mail_from: "start@letterslot.invalid", client_ip: "192.0.2.1", helo: "letterslot.invalid" },
};

/** Checks it without any network. */
export const MADE_UP_SETTINGS: CheckSettings = {
  dns: { resolve: resolve as unknown as Dns["resolve"] },
  timeoutMs: 3_000,
  name: "letterslot.invalid",
};
