/** What is running, for the person at the terminal. */
export interface Running {
  base_url: string;
  data_dir: string;
  /** `host:port`, or null when no mail is taken. */
  smtp: string | null;
  mail_domain: string;
  /** Outgoing mail is captured and shown at /outbox. */
  outbox: boolean;
}

/** A few lines that say where everything is and what to do first. */
export function banner({ base_url, data_dir, smtp, mail_domain, outbox }: Running): string {
  return `
  Letterslot is running.

  API and docs   ${base_url}/docs
  Captured mail  ${outbox ? `${base_url}/outbox` : "none: mail is sent"}
  Mail for       *@${mail_domain}, taken by SMTP at ${smtp ?? "nowhere (SMTP_PORT=off)"}
  Data           ${data_dir}

  Make an inbox and a key:

    curl -X POST ${base_url}/api/v1/onboard -H 'Content-Type: application/json' -d '{"username":"ada"}'

  Ctrl+C stops it.
`;
}
