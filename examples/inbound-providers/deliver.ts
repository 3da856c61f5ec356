// Hands a mail from a provider to the service. LETTERSLOT_URL is the service's BASE_URL.

/** A mail and its envelope; `raw` is the whole mail in Base64. */
export interface ProvidedMail {
  mail_from: string;
  rcpt_to: string[];
  raw: string;
}

/** Whether an address here took the mail. Throws when the provider should send it again. */
export async function deliver(mail: ProvidedMail): Promise<boolean> {
  const { LETTERSLOT_URL = "", INBOUND_SECRET = "" } = process.env;
  const response = await fetch(`${LETTERSLOT_URL}/api/v1/internal/inbound`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-svc-inbound-secret": INBOUND_SECRET },
    body: JSON.stringify(mail),
  });
  if (response.status === 413) return false;
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  return ((await response.json()) as { accepted: boolean }).accepted;
}
